import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A line to a service that can be cut. */
export type Line = {
  /** Where clients connect, as `http://127.0.0.1:<port>`. */
  url: string
  /** All that clients have sent so far. */
  sent(): string
  /** Says where connections go; none may come before. */
  leadTo(url: string): void
  /** Ends all connections at once; new ones are taken. */
  cut(): void
  close(): Promise<void>
}

/** Starts one on a free port. */
export async function startLine(): Promise<Line> {
  const sockets = new Set<Socket>()
  let [target, text] = ['', '']
  const server = createServer((client) => {
    const { hostname, port } = new URL(target)
    const service = connect(Number(port), hostname)
    client.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    client.pipe(service).pipe(client)
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('no port')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    sent: () => text,
    leadTo(url) {
      target = url
    },
    cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

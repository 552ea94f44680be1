import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What a relay does with what comes. `hold`: nothing arrives until it passes again, and then all of it, as over a network that
 * was gone for a while. `drop`: nothing arrives, ever, and who was connected meanwhile is cut off when it ends. `cut`: connections
 * are reset, and none can be made.
 */
export type RelayMode = 'pass' | 'hold' | 'drop' | 'cut'

/** A TCP relay to a port of this machine. */
export type Relay = {
  port: number
  /** The relay's address, for a service over HTTP. */
  url: string
  /** Sets the port of 127.0.0.1 that connections go to from now on. */
  leadTo(port: number): void
  set(mode: RelayMode): void
  stop(): Promise<void>
}

type Line = { near: Socket; far: Socket; hasLost: boolean; hasEnded: boolean }

/** Starts a relay to a port of 127.0.0.1, on a free one; it passes everything on. `onSent` is called with what clients send. */
export async function startRelay(target: number, onSent: (chunk: Buffer) => void = () => {}): Promise<Relay> {
  let to = target
  const lines = new Set<Line>()
  let mode: RelayMode = 'pass'

  const forward = (line: Line, from: Socket, to: Socket) => {
    from.on('data', (chunk) => {
      if (mode === 'drop') {
        line.hasLost = true
        return
      }
      if (to.write(chunk)) return
      from.pause()
      to.once('drain', () => mode !== 'hold' && from.resume())
    })
    from.on('error', () => {})
    from.on('close', () => {
      // Nobody hears of an end while nothing arrives.
      if (mode === 'hold' || mode === 'drop') line.hasEnded = true
      else {
        to.destroySoon()
        lines.delete(line)
      }
    })
  }
  const end = (line: Line) => {
    lines.delete(line)
    line.near.resetAndDestroy()
    line.far.resetAndDestroy()
  }

  const server = createServer((near) => {
    if (mode === 'cut') return void near.resetAndDestroy()
    const far = connect({ port: to, host: '127.0.0.1' })
    const line: Line = { near, far, hasLost: false, hasEnded: false }
    for (const socket of [near, far]) socket.setNoDelay(true)
    lines.add(line)
    near.on('data', onSent)
    forward(line, near, far)
    forward(line, far, near)
    if (mode === 'hold') for (const socket of [near, far]) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    leadTo(next) {
      to = next
    },
    set(next) {
      mode = next
      for (const line of [...lines]) {
        const { near, far, hasLost, hasEnded } = line
        if (mode === 'cut' || (mode === 'pass' && (hasLost || hasEnded))) end(line)
        else if (mode === 'hold') for (const socket of [near, far]) socket.pause()
        else for (const socket of [near, far]) socket.resume()
      }
    },
    async stop() {
      for (const line of [...lines]) end(line)
      server.close()
      await once(server, 'close')
    },
  }
}

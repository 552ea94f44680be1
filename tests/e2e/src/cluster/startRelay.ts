import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * How a relay handles data. `hold` delivers all data once the mode changes back to `pass`, as after a network
 * interruption. `drop` discards data. When the `drop` mode ends, affected connections are reset. `cut` resets
 * connections and refuses new ones.
 */
export type RelayMode = 'pass' | 'hold' | 'drop' | 'cut'

/** A TCP relay to a local port. */
export type Relay = Awaited<ReturnType<typeof startRelay>>

type Line = { near: Socket; far: Socket; hasLost: boolean; hasEnded: boolean }

/**
 * Starts a relay from a free port to a target port on 127.0.0.1, in `pass` mode. `onSent` is called with the data that
 * clients send.
 */
export async function startRelay(target: number, onSent: (chunk: Buffer) => void = () => {}) {
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
      // While data is not delivered, a close is not delivered either.
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
    /** The relay's URL, if the target is an HTTP service. */
    url: `http://127.0.0.1:${port}`,
    /** Sets the target port on 127.0.0.1 for new connections. */
    leadTo(next: number) {
      to = next
    },
    set(next: RelayMode) {
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

// A process of readers: it opens connections and passes them to the C program, which drains them as cheaply as possible.
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { type LineProgram, serve, startLineProgram } from '../processes.ts'
import { connectBacker } from '../stand/backerSocket.ts'

let program: LineProgram | undefined
const key = `0x${'07'.repeat(32)}` as const
const silent = { onRfq() {}, onAck() {}, onGone() {} }

const functions = {
  /** Connects readers to the ports in turn: authenticated backers, or plain TCP connections. */
  async connect({
    kind,
    ports,
    count,
    floor,
  }: {
    kind: 'backer' | 'tcp'
    ports: number[]
    count: number
    floor: string
  }) {
    const open = async (index: number) => {
      const port = ports[index % ports.length] ?? 0
      if (kind === 'backer') return connectBacker(`ws://localhost:${port}/ws/rfq`, key, silent)
      const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
      await once(socket, 'connect')
      return socket
    }
    const sockets: Socket[] = []
    // In groups, so that no accept queue overflows.
    for (let start = 0; start < count; start += 100) {
      const some = Array.from({ length: Math.min(100, count - start) }, (_, index) => open(start + index))
      sockets.push(...(await Promise.all(some)))
    }
    program = startLineProgram(floor, ['drain', String(count)], sockets)
  },

  /** Resolves when the program waits for this number of bytes. */
  async expect(bytes: number) {
    program?.write(String(bytes))
    await program?.next()
  },

  /** When the last of them was read, in nanoseconds of the monotonic clock. */
  async last() {
    return BigInt((await program?.next()) ?? 0)
  },
}
/** The readers in their process. */
export type FanOutReaders = typeof functions
serve(functions)

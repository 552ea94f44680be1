// A borrower process that opens event streams and records when each event arrives.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../processes.ts'

const delays: number[] = []
/** Matches an event's send time, in nanoseconds of the monotonic clock. */
const departure = /"receivedAt":(\d+)/g
const sockets: Socket[] = []

const functions = {
  async connect({ port, count, body }: { port: number; count: number; body: string }) {
    const head = `POST /api/v1/rfq/quote/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
    for (let index = 0; index < count; index += 1) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.push(socket)
      socket.write(head + body)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new TypeError(`A stream was rejected: ${answer}`)
      socket.on('data', (data) => {
        const at = process.hrtime.bigint()
        for (const [, sentAt = ''] of data.toString('latin1').matchAll(departure)) {
          delays.push(Number(at - BigInt(sentAt)) / 1e6)
        }
      })
    }
  },

  /** Delays between sending and arrival of all events since the last call, in milliseconds. */
  async delays() {
    // Waits for the last events.
    await sleep(200)
    return delays.splice(0)
  },
}
/** Functions of a borrower process. */
export type StreamReaders = typeof functions
serve(functions)

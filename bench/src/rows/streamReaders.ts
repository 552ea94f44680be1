// A process of borrowers: it opens event streams and records when each event arrives. It prints `ready`, and at the
// end of its input one line of JSON: for each event the milliseconds from `sentAt` in it to its arrival.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const [portText, countText, body = ''] = process.argv.slice(2)
const delays: number[] = []
/** The time at which an event was sent, in monotonic nanoseconds. */
const departure = /"receivedAt":(\d+)/g

const sockets: Socket[] = []
for (let index = 0; index < Number(countText); index += 1) {
  const socket = connect({ port: Number(portText), host: '127.0.0.1', noDelay: true })
  sockets.push(socket)
  socket.write(
    `POST /api/v1/rfq/quote/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const [head] = (await once(socket, 'data')) as [Buffer]
  if (!head.toString('latin1').startsWith('HTTP/1.1 200')) throw new TypeError(`A stream was refused: ${head}`)
  socket.on('data', (data) => {
    const at = process.hrtime.bigint()
    for (const [, sentAt = ''] of data.toString('latin1').matchAll(departure)) {
      delays.push(Number(at - BigInt(sentAt)) / 1e6)
    }
  })
}
console.log('ready')
process.stdin.on('end', () => process.stdout.write(`${JSON.stringify(delays.splice(0))}\n`, () => process.exit()))
process.stdin.on('data', () => console.log(JSON.stringify(delays.splice(0))))

// A process that sends prebuilt HTTP/1.1 requests over connections that stay open, as cheaply as Node can: it shares the
// cores with what it measures. One job comes over the channel, one result goes back.
import { createConnection, type Socket } from 'node:net'
import { summarizeLatencies } from './latencies.ts'
import type { RequestJob, RequestResult } from './sendRequests.ts'

/** A steady load ends at the latest after this multiple of its nominal duration. */
const longestOverrun = 2

type Connection = { socket: Socket; dueAt: number; received: Buffer | null }

process.once('disconnect', () => process.exit())
process.once('message', (job: RequestJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ failure: error.message }),
  )
})

function run({ url, path, bodies, connections, status, rate, seconds }: RequestJob): Promise<RequestResult> {
  const servers = (typeof url === 'string' ? [url] : url).map((one) => new URL(one))
  const requests = bodies.map((body) =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const expected = `HTTP/1.1 ${status} `
  const times: number[] = []
  const idle: Connection[] = []
  let sent = 0
  let startedAt = 0

  return new Promise((resolve, reject) => {
    const isOver = () =>
      sent >= requests.length || (seconds !== undefined && performance.now() - startedAt >= seconds * 1_000)

    const send = (connection: Connection, dueAt: number) => {
      connection.dueAt = dueAt
      connection.socket.write(requests[sent] as Buffer)
      sent += 1
    }
    const finish = () => {
      const now = performance.now()
      const answers = times.length
      for (const { socket } of opened) socket.removeAllListeners().destroy()
      // What waits still counts with the time that it has waited so far.
      for (const { socket, dueAt } of opened)
        if (!idle.some((connection) => connection.socket === socket)) times.push(now - dueAt)
      for (let due = sent; rate !== undefined && due < requests.length; due += 1) {
        times.push(now - startedAt - (due * 1_000) / rate)
      }
      resolve({ answers, perSecond: (answers * 1_000) / (now - startedAt), latencies: summarizeLatencies(times) })
    }
    const sendDue = () => {
      const now = performance.now()
      while (rate !== undefined && idle.length > 0 && sent < requests.length) {
        const dueAt = startedAt + (sent * 1_000) / rate
        if (dueAt > now) break
        send(idle.pop() as Connection, dueAt)
      }
    }
    const answered = (connection: Connection) => {
      times.push(performance.now() - connection.dueAt)
      idle.push(connection)
      if (rate !== undefined) sendDue()
      else if (!isOver()) send(idle.pop() as Connection, performance.now())
      if (isOver() && times.length === sent) finish()
    }
    const onData = (connection: Connection, chunk: Buffer) => {
      const received = connection.received ? Buffer.concat([connection.received, chunk]) : chunk
      const head = received.indexOf('\r\n\r\n')
      const length = head < 0 ? undefined : /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, head))?.[1]
      if (head >= 0 && received.length >= head + 4 + Number(length ?? 0)) {
        if (received.toString('latin1', 0, expected.length) !== expected)
          return reject(new TypeError(received.toString()))
        connection.received = null
        answered(connection)
      } else connection.received = received
    }
    const start = () => {
      startedAt = performance.now()
      if (rate !== undefined) {
        setInterval(sendDue, 1)
        // A server that is far behind has failed already.
        setTimeout(finish, ((longestOverrun * requests.length) / rate) * 1_000)
      } else for (const connection of idle.splice(0)) if (!isOver()) send(connection, startedAt)
    }
    const opened = Array.from({ length: connections }, (_, index) => {
      const port = servers[index % servers.length]?.port
      const connection: Connection = {
        socket: createConnection({ port: Number(port), host: '127.0.0.1' }),
        dueAt: 0,
        received: null,
      }
      connection.socket.setNoDelay(true)
      connection.socket.on('data', (chunk: Buffer) => onData(connection, chunk))
      connection.socket.on('error', reject)
      connection.socket.on('close', () => reject(new TypeError('The server closed a connection.')))
      connection.socket.once('connect', () => {
        idle.push(connection)
        if (idle.length === connections && startedAt === 0) start()
      })
      return connection
    })
  })
}

// A process that sends prebuilt HTTP/1.1 requests over connections that stay open, as cheaply as Node can: it shares the
// cores with what it measures.
import { createConnection, type Socket } from 'node:net'
import { type Percentiles, percentilesOf } from '../figures.ts'
import { serve } from '../processes.ts'

/** Quotes to post, and how. */
export type RequestJob = {
  /** `http://localhost:<port>`, servers on 127.0.0.1; the connections take them in turn. */
  urls: readonly string[]
  /** The JSON bodies, each sent once. */
  bodies: readonly string[]
  connections: number
  /** Requests per second; absent: each connection sends its next request as soon as it has its answer. */
  rate?: number
  /** Nothing more is sent after this number of seconds. */
  seconds?: number
}

/** The answers. Latencies count from when a request was due, so that a stall counts for all that it held up. */
export type RequestResult = { answers: number; perSecond: number; latencies: Percentiles }

/** A steady load ends at the latest after this multiple of its nominal duration. */
const longestOverrun = 2
/** The start of every answer; any other fails the row. */
const expected = 'HTTP/1.1 201 '

type Connection = { socket: Socket; dueAt: number; received: Buffer | null }

const functions = { send }
/** The client in its process. */
export type RawHttpClient = typeof functions
serve(functions)

function send({ urls, bodies, connections, rate, seconds }: RequestJob): Promise<RequestResult> {
  const ports = urls.map((url) => Number(new URL(url).port))
  const requests = bodies.map((body) =>
    Buffer.from(
      `POST /api/v1/quotes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
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
      // Unanswered requests count with the time that they have waited so far.
      for (const connection of opened) if (!idle.includes(connection)) times.push(now - connection.dueAt)
      for (let due = sent; rate !== undefined && due < requests.length; due += 1) {
        times.push(now - startedAt - (due * 1_000) / rate)
      }
      resolve({ answers, perSecond: (answers * 1_000) / (now - startedAt), latencies: percentilesOf(times) })
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
      const isWhole = head >= 0 && received.length >= head + 4 + Number(length ?? 0)
      connection.received = isWhole ? null : received
      if (!isWhole) return
      if (received.toString('latin1', 0, expected.length) === expected) answered(connection)
      else reject(new TypeError(received.toString()))
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
      const socket = createConnection({ port: ports[index % ports.length] ?? 0, host: '127.0.0.1', noDelay: true })
      const connection: Connection = { socket, dueAt: 0, received: null }
      socket.on('data', (chunk: Buffer) => onData(connection, chunk))
      socket.on('error', reject)
      socket.on('close', () => reject(new TypeError('The server closed a connection.')))
      socket.once('connect', () => {
        idle.push(connection)
        if (idle.length === connections && startedAt === 0) start()
      })
      return connection
    })
  })
}

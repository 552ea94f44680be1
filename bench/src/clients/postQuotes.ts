import { once } from 'node:events'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Percentiles, percentilesOf } from '../figures.ts'

export type PostOptions = {
  connections: number
  /** Requests per second. Default: each connection sends its next request on receiving the previous response. */
  rate?: number
  /** Stops sending after this many seconds. */
  seconds?: number
}

/**
 * Throughput and latencies. Latencies count from when each request is due, so that a stall counts against every request
 * it delays.
 */
export type PostResult = { perSecond: number; latencies: Percentiles }

/**
 * Posts each body once to `/api/v1/quotes` over persistent connections, using the servers in turn. Uses plain sockets
 * to save CPU time, since the client shares the CPU with the server being measured.
 *
 * @param urls servers on 127.0.0.1, as `http://localhost:<port>`.
 * @throws {TypeError} if a response is not 201, or a connection closes.
 */
export async function postQuotes(
  urls: readonly string[],
  bodies: readonly string[],
  { connections, rate, seconds = Number.POSITIVE_INFINITY }: PostOptions,
): Promise<PostResult> {
  await using stack = new AsyncDisposableStack()
  const opened = await Promise.all(
    Array.from({ length: connections }, (_, index) => connect(urls[index % urls.length] ?? '')),
  )
  for (const { close } of opened) stack.defer(close)
  const times: number[] = []
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  let sent = 0
  await Promise.all(
    opened.map(async ({ post }) => {
      while (sent < bodies.length && elapsed() < seconds * 1_000) {
        const body = bodies[sent] ?? ''
        const due = rate === undefined ? elapsed() : (sent * 1_000) / rate
        sent += 1
        if (due > elapsed()) await sleep(due - elapsed())
        await post(body)
        times.push(elapsed() - due)
      }
    }),
  )
  return { perSecond: (times.length * 1_000) / elapsed(), latencies: percentilesOf(times) }
}

async function connect(url: string): Promise<{ post(body: string): Promise<void>; close(): void }> {
  const socket = createConnection({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let resolve = () => {}
  let reject = (_: Error) => {}
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk
    const head = received.indexOf('\r\n\r\n')
    const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0
    if (head < 0 || received.length < head + 4 + Number(length)) return
    if (received.startsWith('HTTP/1.1 201 ')) resolve()
    else reject(new TypeError(received))
    received = ''
  })
  socket.on('error', (error) => reject(error))
  socket.on('close', () => reject(new TypeError('The server closed a connection.')))
  return {
    post: (body) =>
      new Promise((answered, failed) => {
        ;[resolve, reject] = [answered, failed]
        socket.write(
          `POST /api/v1/quotes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      }),
    close: () => void socket.destroy(),
  }
}

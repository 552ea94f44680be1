import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Series } from './quoteSource.ts'

/** What came of an auction; instants are Unix milliseconds with fractions. */
export type AuctionEnd =
  | { outcome: 'done'; closesAt: number; doneAt: number; quoteCount: number; rejectedCount: number }
  /** The status or the code of the refusal, and how long to wait before asking again. */
  | { outcome: 'refused'; code: string; retryAfterMs: number }
  /** The stream ended before its auction. */
  | { outcome: 'broken'; code: string }

// Streams last long and are many: none may wait for another.
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** How an auction is followed. */
export type FollowOptions = { onQuote?: () => void; signal?: AbortSignal }

/** Asks for quotes as a borrower does, by an event stream, and reads it to its end. Never rejects. */
export function openAuction(
  url: string,
  { poolId, seriesKey }: Series,
  notional: bigint,
  { onQuote, signal }: FollowOptions = {},
): Promise<AuctionEnd> {
  const body = JSON.stringify({ poolId, seriesKey, notional: String(notional) })
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const request = send(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...(url.startsWith('https:') ? {} : { agent }),
      ...(signal && { signal }),
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ outcome: 'broken', code: error.code ?? error.message }),
    )
    request.on('response', (response) =>
      resolve(response.statusCode === 200 ? collectStream(response, onQuote) : refusal(response)),
    )
    request.end(body)
  })
}

function collectStream(response: IncomingMessage, onQuote = () => {}): Promise<AuctionEnd> {
  return new Promise((resolve) => {
    let closesAt = Number.NaN
    // Quotes are only counted: reading them is not measured.
    let rest = ''
    response.setEncoding('latin1')
    response.on('data', (chunk: string) => {
      const at = performance.timeOrigin + performance.now()
      const frames = (rest + chunk).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        if (frame.startsWith('event: quote')) onQuote()
        else if (frame.startsWith('event: started')) closesAt = dataOf(frame)['closesAt'] as number
        else if (frame.startsWith('event: error')) resolve({ outcome: 'broken', code: String(dataOf(frame)['code']) })
        else if (frame.startsWith('event: done')) {
          const { quoteCount, rejectedCount } = dataOf(frame) as { quoteCount: number; rejectedCount: number }
          resolve({ outcome: 'done', closesAt, doneAt: at, quoteCount, rejectedCount })
        }
      }
    })
    response.on('close', () => resolve({ outcome: 'broken', code: 'STREAM_ENDED' }))
    response.on('error', () => undefined)
  })
}

async function refusal(response: IncomingMessage): Promise<AuctionEnd> {
  let text = ''
  for await (const chunk of response) text += String(chunk)
  const retryAfterMs = Number(response.headers['retry-after'] ?? 1) * 1_000
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? `HTTP_${response.statusCode}`
  return { outcome: 'refused', code, retryAfterMs }
}

function dataOf(frame: string): Record<string, unknown> {
  return JSON.parse(frame.slice(frame.indexOf('\ndata: ') + 7)) as Record<string, unknown>
}

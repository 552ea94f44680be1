import type { Series } from '../quotes.ts'

/** An auction's outcome. */
export type AuctionEnd =
  /** `delayMs` is the time from the promised close to the `done` event. Requires synchronized clocks. */
  | { outcome: 'done'; delayMs: number; quoteCount: number }
  /** `code` is the HTTP status or rejection code, and `retryAfterMs` the delay before a retry. */
  | { outcome: 'refused'; code: string; retryAfterMs: number }
  /** The stream ended before the auction did. */
  | { outcome: 'broken'; code: string }

/** Options for following an auction. */
export type FollowOptions = { onQuote?: () => void; signal?: AbortSignal }

/** Requests quotes as a borrower and reads the event stream to the end. Never rejects. */
export async function openAuction(
  url: string,
  { poolId, seriesKey }: Series,
  notional: bigint,
  { onQuote = () => {}, signal }: FollowOptions = {},
): Promise<AuctionEnd> {
  try {
    const response = await fetch(`${url}/api/v1/rfq/quote/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ poolId, seriesKey, notional: String(notional) }),
      signal: signal ?? null,
    })
    if (response.ok && response.body) return await followStream(response.body, onQuote)
    const code = /"code":"(\w+)"/.exec(await response.text())?.[1] ?? `HTTP_${response.status}`
    return { outcome: 'refused', code, retryAfterMs: Number(response.headers.get('retry-after') ?? 1) * 1_000 }
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    return { outcome: 'broken', code: String(code) }
  }
}

async function followStream(body: ReadableStream<Uint8Array>, onQuote: () => void): Promise<AuctionEnd> {
  let closesAt = Number.NaN
  // Counts quotes without parsing them, since parsing is not being measured.
  let rest = ''
  for await (const chunk of body) {
    const frames = (rest + Buffer.from(chunk).toString('latin1')).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.startsWith('event: quote')) onQuote()
      else if (frame.startsWith('event: started')) closesAt = dataOf(frame)['closesAt'] as number
      else if (frame.startsWith('event: error')) return { outcome: 'broken', code: String(dataOf(frame)['code']) }
      else if (frame.startsWith('event: done')) {
        const delayMs = performance.timeOrigin + performance.now() - closesAt
        return { outcome: 'done', delayMs, quoteCount: dataOf(frame)['quoteCount'] as number }
      }
    }
  }
  return { outcome: 'broken', code: 'STREAM_ENDED' }
}

function dataOf(frame: string): Record<string, unknown> {
  return JSON.parse(frame.slice(frame.indexOf('\ndata: ') + 7)) as Record<string, unknown>
}

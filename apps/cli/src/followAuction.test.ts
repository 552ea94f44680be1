import { type CollectedQuote, type RFQ, type RFQRequest, type RFQResult, toRfqId } from '@firmquote/core'
import { AbortedError, type RFQAuctionEvent, ServiceError, StreamError } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { followAuction } from './followAuction.ts'

const request = { poolId: `0x${'2'.repeat(64)}`, expiry: 1, notional: 1n } as RFQRequest
const rfqId = toRfqId('a'.repeat(32))
const rfq = { rfqId, openedAt: 0, closesAt: 1 } as RFQ & { backers: number }
const quote = (digit: string) => ({ hash: `0x${digit.repeat(64)}` }) as CollectedQuote
const started: RFQAuctionEvent = { type: 'started', id: '1', data: rfq }
const first: RFQAuctionEvent = { type: 'quote', id: '2', data: quote('1') }
const interrupted = new StreamError('STREAM_INTERRUPTED', 'The stream ended.', { rfqId })

/** A service whose stream tells some events and then breaks; `results` are what it says afterwards, one each time. */
function service(events: RFQAuctionEvent[], failure: Error | null, results: Partial<RFQResult>[] = []) {
  let asked = 0
  return {
    async *streamQuotes() {
      yield* events
      if (failure) throw failure
    },
    getRfq: async () => results[Math.min(asked++, results.length - 1)] as RFQResult,
  }
}

async function follow(client: ReturnType<typeof service>, signal = new AbortController().signal) {
  const events = []
  for await (const event of followAuction(client, request, signal)) events.push(event)
  return events
}

describe('followAuction', () => {
  test('default: what the stream tells', async () => {
    const done = {
      type: 'done',
      id: '3',
      data: { rfqId, closedAt: 1, quoteCount: 1, rejectedCount: 0, ranking: [] },
    } as const
    const events = await follow(service([started, first, { ...done, data: { ...done.data, ranking: [] } }], null))
    expect(events.map(({ type }) => type)).toEqual(['started', 'quote', 'done'])
  })

  test('behavior: after a broken line the result is fetched; no quote is told twice, none is lost', async () => {
    const results = [
      { quotes: [quote('1'), quote('2')], closedAt: null },
      { quotes: [quote('3'), quote('1'), quote('2')], closedAt: 7, rejectedCount: 4 },
    ]
    const events = await follow(service([started, first], interrupted, results))
    expect(events.slice(2)).toEqual([
      { type: 'interrupted', data: { rfqId } },
      { type: 'quote', data: quote('2') },
      { type: 'quote', data: quote('3') },
      {
        type: 'done',
        data: {
          rfqId,
          closedAt: 7,
          quoteCount: 3,
          rejectedCount: 4,
          ranking: ['3', '1', '2'].map((digit) => quote(digit).hash),
        },
      },
    ])
  })

  test('error: a refusal, and a line that broke before the auction had a name, are thrown as they are', async () => {
    const refusal = new ServiceError('RATE_LIMITED', 'Too many.')
    const nameless = new StreamError('STREAM_INTERRUPTED', 'The stream ended.', { rfqId: null })
    const stopped = new StreamError('OVERLOADED', 'The service restarts.', { rfqId })
    await expect(follow(service([], refusal))).rejects.toBe(refusal)
    await expect(follow(service([], nameless))).rejects.toBe(nameless)
    await expect(follow(service([started], stopped))).rejects.toBe(stopped)
  })

  test('error: an interruption does not wait for the close', async () => {
    const abort = new AbortController()
    const running = follow(service([started], interrupted, [{ quotes: [], closedAt: null }]), abort.signal)
    setImmediate(() => abort.abort())
    await expect(running).rejects.toBeInstanceOf(AbortedError)
  })
})

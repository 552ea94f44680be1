import type { CollectedQuote, RFQ, RFQResult, RFQStreamEvent } from '@firmquote/core'
import type { Hex } from 'viem'
import { type ClientErrorOptions, InvalidResponseError } from '../errors.ts'

/** Exceeds the number of backers on any service. */
const maxQuotes = 10_000
const maxTaken = 4

/** Auction terms that a service must not change. */
type Terms = Pick<RFQ, 'poolId' | 'seriesKey' | 'expiry' | 'notional' | 'taker'>

/**
 * Creates a function that checks the consistency of a stream's events. Call it once per event, in order.
 *
 * @param isWhole Whether the stream is read from its beginning, so that all quotes have been seen by the end.
 * @param requested The encoded request that opened the auction, if known.
 * @returns A function that throws {InvalidResponseError} if an event contradicts the request or earlier events.
 */
export function createEventJudge(isWhole: boolean, requested?: string) {
  const hashes = new Set<Hex>()
  let terms: Pick<RFQ, 'poolId' | 'seriesKey' | 'notional'> | undefined
  let quoteCount = 0

  return (event: Exclude<RFQStreamEvent, { type: 'error' }>, facts: ClientErrorOptions): void => {
    const fail = (message: string) => new InvalidResponseError(message, facts)
    if (event.type === 'started') {
      terms = event.data
      if (!isRequested(event.data, requested)) throw fail('The auction differs from the request.')
    } else if (event.type === 'quote') {
      quoteCount += 1
      if (quoteCount > maxQuotes) throw fail(`The stream has more than ${maxQuotes} quotes.`)
      if (terms && !isOf(event.data, terms)) throw fail('A quote in the stream does not match its auction.')
      hashes.add(event.data.hash)
    } else {
      const { ranking, best, quoteCount: told } = event.data
      if (isWhole && (told !== quoteCount || !ranking.every((hash) => hashes.has(hash)))) {
        throw fail('The quotes in the done event differ from those in the stream.')
      }
      if (!isBestOf(best, ranking)) throw fail('The best quotes in the done event are missing from its ranking.')
    }
  }
}

/**
 * @param requested The encoded request that opened the auction, if known.
 * @throws {InvalidResponseError} if a result is inconsistent or differs from the request.
 */
export function checkResult(result: RFQResult, requested?: string): RFQResult {
  if (!isRequested(result, requested)) throw new InvalidResponseError('The auction differs from the request.')
  if (!result.quotes.every((quote) => isOf(quote, result))) {
    throw new InvalidResponseError('A quote in the result does not match its auction.')
  }
  const hashes = result.quotes.map(({ hash }) => hash)
  if (!isBestOf(result.best, hashes)) {
    throw new InvalidResponseError('The best quotes in the result are missing from its quotes.')
  }
  return result
}

/**
 * Whether an auction's terms match a request. A target expiry is met by a series that expires at that time or later.
 */
function isRequested(terms: Terms, requested: string | undefined): boolean {
  if (requested === undefined) return true
  const { poolId, seriesKey, expiry, notional, taker } = JSON.parse(requested) as Record<string, unknown>
  return (
    isSame(terms.poolId, poolId) &&
    (seriesKey === undefined || isSame(terms.seriesKey, seriesKey)) &&
    (typeof expiry !== 'number' || terms.expiry >= expiry) &&
    String(terms.notional) === notional &&
    isSame(terms.taker, taker)
  )
}

/** Compares hex texts. The comparison ignores case, because a caller may use upper-case digits. */
function isSame(a: Hex | undefined, b: unknown): boolean {
  return a?.toLowerCase() === (typeof b === 'string' ? b.toLowerCase() : b)
}

function isOf({ quote }: CollectedQuote, terms: Pick<RFQ, 'poolId' | 'seriesKey' | 'notional'>): boolean {
  return quote.poolId === terms.poolId && quote.seriesKey === terms.seriesKey && quote.notional <= terms.notional
}

function isBestOf(best: RFQResult['best'], hashes: readonly Hex[]): boolean {
  return best === undefined || (best.hashes.length <= maxTaken && best.hashes.every((hash) => hashes.includes(hash)))
}

import { backers, type DevnetAccount, interestRatePoolAbi } from '@firmquote/devnet'
import { deserializeSignedQuote, type RFQRequest, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { quoteOf } from '../quoteOf.ts'
import type { Demo } from './startDemo.ts'

/** A term in the devnet's first market. */
export type Term = { poolId: Hex; seriesKey: Hex; expiry: number }

/** Lists the first market's terms, earliest expiry first. */
export async function listTerms({ client }: Demo): Promise<readonly [first: Term, second: Term, ...Term[]]> {
  const [market] = await client.getPoolRates()
  const [first, second, ...others] =
    market?.series.map(({ seriesKey, expiry }) => ({ poolId: market.poolId, seriesKey, expiry })) ?? []
  if (!first || !second) throw new TypeError('the devnet has too few series')
  return [first, second, ...others]
}

/** Creates a request for the second term, whose quotes only one account may take. `tokens` is in whole loan tokens. */
export async function requestOf(demo: Demo, taker: Address, tokens = 50_000n) {
  const [, { poolId, seriesKey }] = await listTerms(demo)
  return { poolId, seriesKey, notional: tokens * 10n ** 6n, taker }
}

/** Starts an auction. Returns its id. */
export async function startAuction({ client }: Pick<Demo, 'client'>, request: RFQRequest): Promise<string> {
  for await (const event of client.streamQuotes(request)) if (event.type === 'started') return event.data.rfqId
  throw new TypeError('the auction did not start')
}

/** Runs an auction for one account. Returns the auction's result, the best offer and the path of its view. */
export async function requestOffer(demo: Demo, taker: Address, tokens?: bigint) {
  const result = await demo.client.requestQuotes(await requestOf(demo, taker, tokens))
  const [quote] = result.quotes
  if (!quote) throw new TypeError('the auction has no quotes')
  return { ...result, quote, path: `/#/auction/${result.rfqId}/${quote.hash}` }
}

/** Opens a borrower's position with the first maker for 1 % of the fixed amount. Returns its number. */
export async function openPosition(
  demo: Demo,
  borrower: DevnetAccount,
  { poolId, seriesKey }: Term,
  notional = 50_000_000_000n,
): Promise<bigint> {
  const [maker] = backers
  const signer = new ServiceClient({ orderbookUrl: demo.url })
  signer.setPrivateKey(maker.privateKey)
  const terms = { taker: borrower.address, poolId, seriesKey, notional, vrtAmount: notional / 100n + 1n }
  const quote = await signer.signQuoteMarketQuote(quoteOf(maker.address, terms))
  const { logs } = await demo.send(borrower, takeQuoteParameters(deserializeSignedQuote(quote)))
  const [opened] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs })
  if (!opened) throw new TypeError('the quote was not taken')
  return opened.args.positionId
}

/** Advances the chain's time and waits until the service has read the new time. */
export async function travelTo({ chain, client }: Demo, timestamp: number): Promise<void> {
  await chain.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
  await chain.mine({ blocks: 1 })
  const reached = await chain.getBlockNumber({ cacheTime: 0 })
  await waitUntil(async () => BigInt((await client.getPositions(backers[0].address)).block) >= reached)
}

import { type SerializedSignedQuote, serializeSignedQuote } from '@firmquote/core'
import type { ExampleFacts } from '@firmquote/core/endpoints'
import type { Hex } from 'viem'
import type { Service } from '../../../app/service.ts'

/**
 * Collects data for the examples. Missing data is left out, so that generating a document never fails because of it.
 */
export async function collectExampleFacts(service: Service, now: number): Promise<ExampleFacts> {
  const [newest, pools] = await Promise.all([
    service.book.list({ limit: 1 }).catch(() => null),
    service.markets.pools().catch(() => []),
  ])
  const [record] = newest?.quotes ?? []
  const signature = record?.quote.signature
  const listed =
    record && signature ? { hash: record.hash, quote: serializeSignedQuote({ ...record.quote, signature }) } : null
  return {
    poolId: pools[0]?.poolId ?? passedQuote.poolId,
    // Any later day works: the endpoint uses the next series after it.
    expiry: Math.floor(now / 1_000) + 86_400,
    account: exampleAccount,
    listed,
    passed: { hash: passedHash, quote: passedQuote },
  }
}

/** The second well-known development account. */
const exampleAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** An expired quote, signed with the first well-known development key. */
export const passedQuote: SerializedSignedQuote = {
  maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  taker: '0x0000000000000000000000000000000000000000',
  poolId: `0x${'22'.repeat(32)}`,
  seriesKey: `0x${'33'.repeat(32)}`,
  notional: '1000000000000',
  vrtAmount: '25000000000',
  nonce: '0',
  deadline: '1767226200',
  salt: `0x${'44'.repeat(32)}`,
  signature:
    '0x9a97d55626da9a18f6e0550cd125df57c8417b004c13a8def93202c0737186d73dbe152afb172ac2afad6c504352a0e7e5cda384f633a46f1deaea1923efaebd1b',
}

/** The quote's hash on chain 8453 with the market 0x1111…1111. */
export const passedHash: Hex = '0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4'

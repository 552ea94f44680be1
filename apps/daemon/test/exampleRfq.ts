import { type RFQBroadcast, toPublicRfqId } from '@firmquote/core'

/** Fixed current time in tests, in Unix seconds. */
export const exampleNow = 1_800_000_000

/** An RFQ for 1,000 tokens, with 6 decimals, over 60 days. */
export const exampleRfq: RFQBroadcast = {
  rfqId: toPublicRfqId('0123456789abcdef0123456789abcdef'),
  poolId: `0x${'22'.repeat(32)}`,
  seriesKey: `0x${'33'.repeat(32)}`,
  expiry: exampleNow + 60 * 86_400,
  notional: 1_000_000_000n,
  openedAt: exampleNow * 1_000,
  closesAt: exampleNow * 1_000 + 15_000,
}

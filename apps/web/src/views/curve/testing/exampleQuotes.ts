import type { PublicRfqId, RFQObservation, StoredQuote } from '@firmquote/sdk'
import { type Hex, zeroAddress } from 'viem'
import type { CurveChoice } from '../curvePoints.ts'

/** Now, in the examples. Unix seconds. */
export const now = 1_795_255_000
/** A second account. */
export const account = `0x${'aA'.repeat(20)}` as const
/** Three makers. */
export const makers = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`, `0x${'03'.repeat(20)}`] as const
/** Two series: a quarter of a year and a whole one away. */
export const series = [
  { seriesKey: `0x${'31'.repeat(32)}`, expiry: now + 7_884_000 },
  { seriesKey: `0x${'32'.repeat(32)}`, expiry: now + 31_536_000 },
] as const
/** Whoever wants to fix 250. */
export const choice: CurveChoice = { series, size: 250n, now }

let hashes = 0
/** A hash that no other example has. */
function nextHash(): Hex {
  hashes += 1
  return `0x${hashes.toString(16).padStart(64, '0')}`
}

/** A published quote that can be taken: 250 for a year at 6 %, but for what is named. */
export function storedQuote(
  change: { quote?: Partial<StoredQuote['quote']> } & Partial<Omit<StoredQuote, 'quote'>> = {},
): StoredQuote {
  const { quote, ...rest } = change
  return {
    hash: nextHash(),
    quote: {
      maker: makers[0],
      taker: zeroAddress,
      poolId: `0x${'22'.repeat(32)}`,
      seriesKey: series[1].seriesKey,
      notional: 250n,
      vrtAmount: 15n,
      nonce: 0n,
      deadline: BigInt(now + 3_600),
      salt: `0x${'44'.repeat(32)}`,
      signature: '0x1234',
      ...quote,
    },
    apr: 6,
    status: 'active',
    createdAt: now * 1000 - 60_000,
    executable: true,
    overcommitted: false,
    ...rest,
  }
}

/** An observation that could still be executed: 250 for a year at 6 %, but for what is named. */
export function observation(change: Partial<RFQObservation> = {}): RFQObservation {
  return {
    rfqId: 'a' as PublicRfqId,
    hash: nextHash(),
    maker: makers[0],
    poolId: `0x${'22'.repeat(32)}`,
    seriesKey: series[1].seriesKey,
    expiry: series[1].expiry,
    notional: 250n,
    vrtAmount: 15n,
    apr: 6,
    observedAt: now * 1000 - 60_000,
    executable: true,
    ...change,
  }
}

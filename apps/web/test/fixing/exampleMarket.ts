import type { Pool } from '@firmquote/react'
import type { FixedPosition, PublicRfqId, RFQObservation, StoredQuote } from '@firmquote/sdk'
import { exampleQuote as exampleTerms } from '@firmquote/test-support/exampleQuote'
import { type Address, type Hex, zeroAddress } from 'viem'

/** The current time: half a year before `soon` matures, which makes rates round numbers. */
export const now = 1_800_000_000
const halfYear = 15_768_000

/** Two series of one pool. */
export const soon = { seriesKey: hex('51'), expiry: now + halfYear }
export const later = { seriesKey: hex('52'), expiry: now + 2 * halfYear }

/** A maker. */
export const maker: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A pool with a six-decimal loan token and a floating rate of 31.536 %. */
export function examplePool(differences: Partial<Pool> = {}): Pool {
  return {
    poolId: hex('aa'),
    loanToken: { address: maker, symbol: 'tUSD', decimals: 6 },
    floating: { ratePerSec: 10n ** 10n, apr: 31.536, apy: 37.07 },
    series: [soon, later].map((series) => ({ ...series, capacity: 10n ** 13n, depth: { quotes: 0, notional: 0n } })),
    ...differences,
  }
}

/** A published quote for 1,000,000 units of the first series that costs 30,000: 6 % a year. */
export function exampleQuote(
  terms: Partial<StoredQuote['quote']> = {},
  differences: Partial<StoredQuote> = {},
): StoredQuote {
  const { seriesKey } = soon
  const usual = { maker, poolId: hex('aa'), seriesKey, notional: 1_000_000n, vrtAmount: 30_000n }
  const quote = exampleTerms({ ...usual, deadline: BigInt(now + 600), ...terms })
  return { hash: hex('01'), quote, apr: 6, status: 'active', createdAt: now * 1000, executable: true, ...differences }
}

/** An observation of the same terms in an auction a minute ago. */
export function exampleObservation(differences: Partial<RFQObservation> = {}): RFQObservation {
  return {
    ...{ rfqId: 'one' as PublicRfqId, hash: hex('02'), maker, poolId: hex('aa'), ...soon },
    ...{ notional: 1_000_000n, vrtAmount: 30_000n, apr: 6, observedAt: (now - 60) * 1000, executable: true },
    ...differences,
  }
}

/** A borrower's open position of 1,000,000 units in the first series, which cost 30,000. */
export function examplePosition(differences: Partial<FixedPosition> = {}): FixedPosition {
  return {
    ...{ positionId: 1n, role: 'borrower', maker, borrower: zeroAddress, poolId: hex('aa'), ...soon, loanToken: maker },
    ...{ notional: 1_000_000n, cost: 30_000n, openedAtBlock: 7n, accrued: 0n, settleable: false },
    ...differences,
  }
}

/** The settlement of the example position. */
export function exampleSettlement(toBorrower: bigint): NonNullable<FixedPosition['settlement']> {
  return { toBorrower, toMaker: 1_030_000n - toBorrower, blockNumber: 9n, transactionHash: hex('51') }
}

/** Returns 32 identical bytes. */
export function hex(byte: string): Hex {
  return `0x${byte.repeat(32)}`
}

import type { Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { type Address, type Hex, zeroAddress } from 'viem'

export const now = 1_800_000_000
const account: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const poolId: Hex = `0x${'aa'.repeat(32)}`
const seriesKey: Hex = `0x${'51'.repeat(32)}`

/** A borrower's open position of 1,000,000 units that has cost 30,000 and runs for half a year from {@link now}. */
export function examplePosition(differences: Partial<FixedPosition> = {}): FixedPosition {
  return {
    positionId: 1n,
    role: 'borrower',
    maker: account,
    borrower: zeroAddress,
    poolId,
    seriesKey,
    loanToken: account,
    expiry: now + 15_768_000,
    notional: 1_000_000n,
    cost: 30_000n,
    openedAtBlock: 7n,
    accrued: 0n,
    settleable: false,
    ...differences,
  }
}

/** The pool of it. */
export function examplePool(): Pool {
  return {
    poolId,
    loanToken: { address: account, symbol: 'tUSD', decimals: 6 },
    floating: { ratePerSec: 10n ** 10n, apr: 31.536, apy: 37.07 },
    series: [],
  }
}

/** What it has paid once it is settled. */
export function exampleSettlement(toBorrower: bigint): NonNullable<FixedPosition['settlement']> {
  return { toBorrower, toMaker: 1_030_000n - toBorrower, blockNumber: 9n, transactionHash: seriesKey }
}

import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { shareOfDebt } from '../../fixing/debt/unfixed.ts'
import type { CurveAddress } from '../../routes.ts'

/** The selected curve. Amounts are in raw units. */
export type ChosenCurve = {
  pool: Pool
  size: bigint
  /** The account's unfixed amount in this pool, or null without an account. */
  unfixed: bigint | null
}

/**
 * Chooses the pool and size in the address. Defaults to the account's first unfixed debt, then to the first pool and a
 * common size. Pure.
 *
 * @param account Null if no account is connected or its debt is unknown.
 * @param now Unix seconds.
 */
export function chooseCurve(
  pools: readonly [Pool, ...Pool[]],
  address: Pick<CurveAddress, 'poolId' | 'size'>,
  account: Pick<AccountPositions, 'debts' | 'positions'> | null,
  now: number,
): ChosenCurve {
  const unfixedIn = ({ poolId }: Pool) => (account === null ? null : shareOfDebt(account, poolId, now).unfixed)
  const named = pools.find(({ poolId }) => poolId === address.poolId)
  const pool = named ?? pools.find((known) => (unfixedIn(known) ?? 0n) > 0n) ?? pools[0]
  const unfixed = unfixedIn(pool)
  const common = 250_000n * 10n ** BigInt(pool.loanToken.decimals)
  return { pool, size: address.size ?? (unfixed !== null && unfixed > 0n ? unfixed : common), unfixed }
}

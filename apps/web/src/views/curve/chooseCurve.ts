import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { shareOfDebt } from '../../fixing/debt/unfixed.ts'
import type { CurveAddress } from '../../routes.ts'

/** Which curve is shown. Amounts in raw units. */
export type ChosenCurve = {
  pool: Pool
  size: bigint
  /** What the account has not fixed yet in this pool; null without an account. */
  unfixed: bigint | null
}

/**
 * The pool and the size of the address; where it names none, those of the account's first debt that is not fixed, else the first pool
 * and a common size. Pure.
 *
 * @param account null where none is connected, or what it owes is not known.
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

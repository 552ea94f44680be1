import type { Pool } from '@firmquote/react'
import type { AccountPositions, FixedPosition } from '@firmquote/sdk'
import type { Address } from 'viem'
import { payoutOf } from '../../fixing/outcome/payout.ts'

/** One side of a matured position. */
export type Due = { position: FixedPosition; pool: Pool }

/** Counts positions. One of which the account holds both sides counts once. Pure. */
export function countPositions(due: readonly Due[]): number {
  return new Set(due.map(({ position }) => position.positionId)).size
}

/** Returns what settling and withdrawing pays by token, in raw units: the payouts and the credits. Pure. */
export function totalsOf(
  due: readonly Due[],
  credits: NonNullable<AccountPositions['withdrawable']>,
): { token: Address; amount: bigint }[] {
  const totals = new Map<string, { token: Address; amount: bigint }>()
  const add = (token: Address, amount: bigint) => {
    const before = totals.get(token.toLowerCase())
    totals.set(token.toLowerCase(), { token: before?.token ?? token, amount: (before?.amount ?? 0n) + amount })
  }
  for (const { position, pool } of due) add(pool.loanToken.address, payoutOf(position)?.amount ?? 0n)
  for (const { token, amount } of credits) add(token, amount)
  return [...totals.values()]
}

import type { BlockRef } from '@firmquote/core'
import type { ChainFact, Position, Series } from '../src/ports/chain.ts'
import type { ChainUpdate, Store } from '../src/ports/store.ts'
import { hashOf, maker, now, other, poolId, seriesKey } from './storedQuotes.ts'

/** When makers are told of what the chain has changed, Unix milliseconds. */
export const toldAt = Number(now) * 1_000

/** A made-up block. */
export const blockOf = (n: number) => ({ number: BigInt(n), hash: hashOf(n + 500), timestamp: now + BigInt(n) })

/** That block with these events, on top of another. */
export const updateOf = (n: number, after: number | null, facts: readonly ChainFact[]): ChainUpdate => {
  const { number, hash } = blockOf(n)
  return {
    after: after === null ? null : blockOf(after),
    cursor: blockOf(n),
    blocks: [{ number, hash }],
    events: facts.map((fact, logIndex) => ({
      blockNumber: number,
      blockHash: hash,
      logIndex,
      transactionHash: hashOf(n * 1_000 + logIndex),
      fact,
    })),
    keep: 64,
    at: toldAt,
  }
}

/** Applies block `n` with these events, on top of block `n - 1`. */
export const applyBlock = (store: Pick<Store, 'applyBlocks'>, n: number, ...facts: readonly ChainFact[]) =>
  store.applyBlocks(updateOf(n, n === 1 ? null : n - 1, facts))

/** Undoes every block above `to`, or all of them, from wherever the store stands. */
export async function rollBackTo(
  store: Pick<Store, 'findSyncPosition' | 'rollBack'>,
  to: BlockRef | null,
  at = toldAt,
): Promise<void> {
  const { cursor } = await store.findSyncPosition()
  await store.rollBack({ from: cursor, to, at })
}

/** The ends of the quote with this number. */
export const cancelled = (n: number) => ({ type: 'quoteEnded', hash: hashOf(n), status: 'cancelled' }) as const
export const filled = (n: number) => ({ type: 'quoteEnded', hash: hashOf(n), status: 'filled' }) as const

export const raised = (nonce: bigint, of = maker) => ({ type: 'nonceRaised', maker: of, nonce }) as const

/** The pool of all made-up series. */
export const pool = { poolId, loanToken: maker, adapter: other, market: hashOf(9) }
export const poolCreated = { type: 'poolCreated', ...pool } as const

/** A series that lasts, unless the terms say otherwise. */
export const seriesCreated = (terms: Partial<Series> = {}) =>
  ({ type: 'seriesCreated', poolId, seriesKey, expiry: 2_000_000_000, cap: 1_000n, ...terms }) as const

/** The position with this number, with the maker as its maker unless the terms say otherwise. */
export const positionOf = (n: number, terms: Partial<Position> = {}) => ({
  ...{ positionId: BigInt(n), maker, borrower: other, poolId, seriesKey },
  ...{ notional: BigInt(n) * 10n, cost: BigInt(n), index: 1n },
  ...terms,
})
export const opened = (n: number, terms: Partial<Position> = {}) =>
  ({ type: 'positionOpened', ...positionOf(n, terms) }) as const

export const settled = (n: number) =>
  ({ type: 'positionSettled', positionId: BigInt(n), toBorrower: 1n, toMaker: 6n }) as const

import type { BlockRef } from '@firmquote/core'
import type { ChainFact, Position, Series } from '../src/ports/chain.ts'
import type { ChainUpdate, Store } from '../src/ports/store.ts'
import { hashOf, maker, now, other, poolId, seriesKey } from './storedQuotes.ts'

/** The time of all status updates, in Unix milliseconds. */
export const toldAt = Number(now) * 1_000

/** The block with this number. */
export const blockOf = (n: number) => ({ number: BigInt(n), hash: hashOf(n + 500), timestamp: now + BigInt(n) })

/** Creates a block with this number and these events, on top of the given block. */
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

/** Returns a block whose events all belong to one transaction. */
export const bundleOf = (n: number, after: number | null, facts: readonly ChainFact[]): ChainUpdate => {
  const update = updateOf(n, after, facts)
  return { ...update, events: update.events.map((event) => ({ ...event, transactionHash: hashOf(n * 1_000) })) }
}

/** Applies block `n` with these events on top of block `n - 1`. */
export const applyBlock = (store: Pick<Store, 'applyBlocks'>, n: number, ...facts: readonly ChainFact[]) =>
  store.applyBlocks(updateOf(n, n === 1 ? null : n - 1, facts))

/** Rolls back from the current cursor to `to`, or rolls back all blocks. */
export async function rollBackTo(
  store: Pick<Store, 'findSyncPosition' | 'rollBack'>,
  to: BlockRef | null,
  at = toldAt,
): Promise<void> {
  const { cursor } = await store.findSyncPosition()
  await store.rollBack({ from: cursor, to, at })
}

/** Creates a cancellation of the quote with this number. */
export const cancelled = (n: number) => ({ type: 'quoteEnded', hash: hashOf(n), status: 'cancelled' }) as const
export const filled = (n: number) => ({ type: 'quoteEnded', hash: hashOf(n), status: 'filled' }) as const

export const raised = (nonce: bigint, of = maker) => ({ type: 'nonceRaised', maker: of, nonce }) as const

/** The pool of every test series. */
export const pool = { poolId, loanToken: maker, adapter: other, market: hashOf(9) }
export const poolCreated = { type: 'poolCreated', ...pool } as const

/** A series, with `terms` applied. By default, the series does not expire soon. */
export const seriesCreated = (terms: Partial<Series> = {}) =>
  ({ type: 'seriesCreated', poolId, seriesKey, expiry: 2_000_000_000, cap: 1_000n, ...terms }) as const

/** Creates the position with this number, with `terms` applied. By default, the position's maker is `maker`. */
export const positionOf = (n: number, terms: Partial<Position> = {}) => ({
  ...{ positionId: BigInt(n), maker, borrower: other, poolId, seriesKey },
  ...{ notional: BigInt(n) * 10n, cost: BigInt(n), index: 1n },
  ...terms,
})
export const opened = (n: number, terms: Partial<Position> = {}) =>
  ({ type: 'positionOpened', ...positionOf(n, terms) }) as const

export const settled = (n: number) =>
  ({ type: 'positionSettled', positionId: BigInt(n), toBorrower: 1n, toMaker: 6n }) as const

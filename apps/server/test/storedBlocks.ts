import type { BlockRef } from '@firmquote/core'
import type { ChainFact } from '../src/ports/chain.ts'
import type { ChainUpdate, Store } from '../src/ports/store.ts'
import { hashOf, now } from './storedQuotes.ts'

/** When what the chain has changed is told, Unix milliseconds. */
export const toldAt = Number(now) * 1_000

/** A block of a chain that a test makes up. */
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

/** Undoes what lies above a block, or everything, from wherever the store stands. */
export async function rollBackTo(
  store: Pick<Store, 'findSyncPosition' | 'rollBack'>,
  to: BlockRef | null,
  at = toldAt,
): Promise<void> {
  const { cursor } = await store.findSyncPosition()
  await store.rollBack({ from: cursor, to, at })
}

import type { RFQ } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { isCovered, type TakerDebt } from '../../domain/takerDebt.ts'

/**
 * How much of the takers' debts open RFQs have reserved. It is no larger than the verified auctions that are open: each gives
 * its part back when it ends.
 */
export type ReservedDebts = {
  /** Reserves a taker's debt for one RFQ, in the same turn in which it is judged; null when the debt does not cover it. */
  reserve(debt: TakerDebt, notional: bigint): (() => void) | null
  /** Reserves for an auction that was opened by an earlier process or another instance: what its row says was judged there. */
  takeUp(rfq: Pick<RFQ, 'poolId' | 'taker' | 'takerVerified' | 'notional'>): () => void
}

/** Creates them, with nothing reserved. */
export function createReservedDebts(): ReservedDebts {
  const reserved = new Map<string, bigint>()
  const keyOf = (taker: Address, poolId: Hex) => `${taker} ${poolId}`.toLowerCase()

  const add = (key: string, notional: bigint) => {
    reserved.set(key, (reserved.get(key) ?? 0n) + notional)
    let isReserved = true
    return () => {
      if (!isReserved) return
      isReserved = false
      const left = (reserved.get(key) ?? 0n) - notional
      if (left > 0n) reserved.set(key, left)
      else reserved.delete(key)
    }
  }

  return {
    reserve(debt, notional) {
      const key = keyOf(debt.taker, debt.poolId)
      return isCovered(notional, debt, reserved.get(key) ?? 0n) ? add(key, notional) : null
    },
    takeUp: ({ poolId, taker, takerVerified, notional }) =>
      taker && takerVerified ? add(keyOf(taker, poolId), notional) : () => {},
  }
}

import type { QuoteStatusMessage } from '@firmquote/core'
import type { Hex } from 'viem'
import type { Fill } from '../src/domain/fill.ts'
import { exampleRfq } from './exampleRfq.ts'

/** Converts a number to a 32-byte value. */
export function bytesOf(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}

/** Creates a fill for tests. */
export function exampleFill(changes: Partial<Fill> = {}): Fill {
  const { poolId, seriesKey, expiry, notional } = exampleRfq
  return {
    hash: bytesOf(1),
    taker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    poolId,
    seriesKey,
    loanToken: '0x2222222222222222222222222222222222222222',
    expiry,
    notional,
    cost: 25_000_001n,
    positionId: 7n,
    block: 100n,
    transactionHash: bytesOf(9_000),
    ...changes,
  }
}

/** Creates the status update for a fill. */
export function filledStatus(seq: number, fill: Fill, final = false): QuoteStatusMessage {
  const { hash, transactionHash, taker, notional, cost, positionId } = fill
  const facts = { transactionHash, taker, notional, cost, positionId }
  return { type: 'quote_status', seq, hash, status: 'filled', final, block: Number(fill.block), ...facts }
}

/** Creates the status update for a reverted fill, or for a quote that ended without being filled. */
export function otherStatus(
  seq: number,
  hash: Hex,
  status: Exclude<QuoteStatusMessage['status'], 'filled'> = 'active',
): QuoteStatusMessage {
  return { type: 'quote_status', seq, hash, status, final: false, block: 99 }
}

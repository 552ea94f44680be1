import type { Receipt } from '@firmquote/core'
import type { Hex } from 'viem'
import { type Claim, createReceiptBatch } from '../../domain/receipts.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Signs receipts in batches. */
export type ReceiptBatches = {
  /**
   * Adds a claim to the next batch. Calls `deliver` with its receipt once the batch is signed, and with null if it gets
   * none: the requester has too many in this batch, or signing failed.
   *
   * @param requester limits the number of claims per batch, by identity.
   */
  add(requester: object, claim: Claim, deliver: (receipt: Receipt | null) => void): void
  /** Signs and delivers the current batch. */
  flush(): void
}

/**
 * Maximum number of claims per batch, and of one requester. Both bound memory and the time that a batch blocks. A full
 * batch is signed at once.
 */
export const batchLimits = { all: 1_024, perRequester: 256 }

/**
 * Creates the batches. The first claim after a quiet time is signed in the next timer, later ones wait for the rest of
 * the interval. A signature then covers all claims since the one before.
 */
export function createReceiptBatches(
  { clock, random, log: logger }: Pick<ServiceDeps, 'clock' | 'random' | 'log'>,
  { log, signDigest, intervalMs }: { log: string; signDigest: (digest: Hex) => Hex; intervalMs: number },
): ReceiptBatches {
  let batch: { claim: Claim; deliver: (receipt: Receipt | null) => void }[] = []
  const counts = new Map<object, number>()
  let nextAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null

  const flush = () => {
    cancel?.()
    cancel = null
    if (batch.length === 0) return
    const signed = batch
    batch = []
    counts.clear()
    nextAt = clock.monotonic() + intervalMs
    const receipts = sign(signed.map(({ claim }) => claim))
    for (const [index, { deliver }] of signed.entries()) {
      try {
        deliver(receipts?.[index] ?? null)
      } catch (err) {
        logger.error({ err }, 'failed to deliver a receipt')
      }
    }
  }

  const sign = (claims: readonly Claim[]): Receipt[] | null => {
    try {
      const { digest, receipts } = createReceiptBatch(claims, { log, random })
      return receipts(signDigest(digest))
    } catch (err) {
      logger.error({ err }, 'failed to sign receipts')
      return null
    }
  }

  return {
    add(requester, claim, deliver) {
      const own = counts.get(requester) ?? 0
      if (own >= batchLimits.perRequester) return deliver(null)
      counts.set(requester, own + 1)
      batch.push({ claim, deliver })
      if (batch.length >= batchLimits.all) return flush()
      cancel ??= clock.after(Math.max(0, nextAt - clock.monotonic()), flush)
    },
    flush,
  }
}

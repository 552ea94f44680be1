import { BaseError } from '@firmquote/core'
import type { Client, Hex, TransactionReceipt } from 'viem'
import type { BorrowerClient } from '../borrowerClient.ts'
import { ChainUnavailableError } from '../coreErrors.ts'

/** The part of the client that reports fills. */
export type FillWitness = Pick<BorrowerClient, 'getHealth' | 'getQuoteMarketQuote'>

/** Maximum number of reads while the service lags behind the node. */
const maxReads = 30

/**
 * Checks with the service that a reverted transaction took none of its quotes. A dishonest node could otherwise report
 * each take as reverted, so that the next best quotes are taken as well. Quotes unknown to the service prove nothing.
 *
 * @throws {ChainUnavailableError} if the service saw a fill, or does not reach the transaction's block.
 */
export async function requireReverted(
  witness: FillWitness,
  { pollingInterval }: Pick<Client, 'pollingInterval'>,
  { transactionHash, blockNumber }: Pick<TransactionReceipt, 'transactionHash' | 'blockNumber'>,
  hashes: readonly Hex[],
): Promise<void> {
  const notRead = (cause: unknown) => {
    throw new ChainUnavailableError('Failed to confirm with the service that the take reverted.', { cause })
  }
  for (let reads = 1; ; reads += 1) {
    const { sync } = await witness.getHealth().catch(notRead)
    if (BigInt(sync.synced ?? 0) >= blockNumber) break
    if (reads === maxReads) notRead(undefined)
    await new Promise((resolve) => setTimeout(resolve, pollingInterval))
  }
  for (const hash of hashes) {
    const stored = await witness.getQuoteMarketQuote(hash).catch((cause: unknown) => {
      if (cause instanceof BaseError && cause.code === 'QUOTE_NOT_FOUND') return null
      return notRead(cause)
    })
    if (stored?.status !== 'filled' || stored.seenAt?.transactionHash !== transactionHash) continue
    throw new ChainUnavailableError(
      `The node reports that the transaction ${transactionHash} reverted, but the service saw it take a quote.`,
    )
  }
}

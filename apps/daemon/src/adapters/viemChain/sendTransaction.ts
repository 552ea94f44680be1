import type { Client, Hex, TransactionReceipt } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { TransactionError } from '../../errors.ts'
import { reasonOf } from './rpcFailure.ts'

/** Milliseconds to wait for a receipt, less than the 30 seconds that a socket client waits. */
const receiptTimeoutMs = 20_000

/**
 * Sends a transaction and waits for its receipt.
 *
 * @param send sends the transaction and returns its hash.
 * @throws {TransactionError} if it was not sent, was reverted, or has not been mined yet.
 */
export async function sendTransaction(client: Client, send: () => Promise<Hex>): Promise<TransactionReceipt> {
  const hash = await send().catch((error: unknown) => {
    throw new TransactionError(`The transaction was not sent: ${reasonOf(error)}`)
  })
  const receipt = await waitForTransactionReceipt(client, {
    hash,
    timeout: receiptTimeoutMs,
    pollingInterval: 250,
  }).catch(() => {
    throw new TransactionError(
      `The transaction ${hash} was sent but has not been mined yet; look it up before you try again.`,
    )
  })
  if (receipt.status !== 'success') throw new TransactionError(`The transaction ${hash} reverted.`)
  return receipt
}

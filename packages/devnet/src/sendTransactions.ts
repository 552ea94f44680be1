import { type Address, type Client, createClient, type Hex, http, numberToHex, rpcSchema, type Transport } from 'viem'
import { DevnetError } from './devnetError.ts'

/** A transaction from one of anvil's accounts, which anvil signs. */
export type DevnetTransaction = { readonly from: Address; readonly to: Address; readonly data: Hex }

type SyncSchema = [
  {
    Method: 'eth_sendTransactionSync'
    Parameters: [DevnetTransaction & { readonly gas: Hex }]
    ReturnType: { status: Hex; transactionHash: Hex }
  },
]

/**
 * A gas limit sufficient for the largest transaction. An estimate at the last block's time would be too low, because
 * Morpho accrues interest in the next block.
 */
const gas = numberToHex(12_000_000)

/** Creates a client that can send a transaction and get its receipt in one request, without polling. */
export function createSyncClient(rpcUrl: string): Client<Transport, undefined, undefined, SyncSchema> {
  return createClient({ transport: http(rpcUrl, { retryCount: 0 }), rpcSchema: rpcSchema<SyncSchema>() })
}

/**
 * Sends transactions in order. Waits until each transaction is mined, because later transactions may depend on it.
 *
 * @throws {DevnetError} `DEPLOYMENT_FAILED` when a transaction is rejected or reverts. Later ones are not sent.
 */
export async function sendTransactions(rpcUrl: string, transactions: readonly DevnetTransaction[]): Promise<void> {
  const client = createSyncClient(rpcUrl)
  for (const [position, transaction] of transactions.entries()) {
    const failed = (cause?: unknown) =>
      new DevnetError('DEPLOYMENT_FAILED', `Transaction ${position} to ${transaction.to} failed.`, { cause })
    const receipt = await client
      .request({ method: 'eth_sendTransactionSync', params: [{ ...transaction, gas }] })
      .catch((cause: unknown) => {
        throw failed(cause)
      })
    if (receipt.status !== '0x1') throw failed(receipt)
  }
}

import { type Address, type Client, createClient, type Hex, http, numberToHex, rpcSchema, type Transport } from 'viem'
import { DevnetError } from './devnetError.ts'

/** A transaction of one of anvil's own accounts, whose keys anvil holds. */
export type DevnetTransaction = { readonly from: Address; readonly to: Address; readonly data: Hex }

type SyncSchema = [
  {
    Method: 'eth_sendTransactionSync'
    Parameters: [DevnetTransaction & { readonly gas: Hex }]
    ReturnType: { status: Hex; transactionHash: Hex }
  },
]

/**
 * Enough for the largest of them. An estimate is made at the time of the last block; a second later Morpho has interest to write
 * down, and the estimate is too low.
 */
const gas = numberToHex(12_000_000)

/** A client whose transactions answer with their receipts, so that nothing has to be polled. */
export function createSyncClient(rpcUrl: string): Client<Transport, undefined, undefined, SyncSchema> {
  return createClient({ transport: http(rpcUrl, { retryCount: 0 }), rpcSchema: rpcSchema<SyncSchema>() })
}

/**
 * Sends in order, each once the one before is mined: a later transaction may need what an earlier one did.
 *
 * @throws {DevnetError} `DEPLOYMENT_FAILED` at the first transaction that is refused or reverts.
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

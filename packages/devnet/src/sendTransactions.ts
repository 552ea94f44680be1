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
 * Enough for the largest transaction. An estimate at the last block's time would be too low, because Morpho accrues
 * interest a second later.
 */
const gas = numberToHex(12_000_000)

/** A client whose transactions return their receipts, so that no polling is needed. */
export function createSyncClient(rpcUrl: string): Client<Transport, undefined, undefined, SyncSchema> {
  return createClient({ transport: http(rpcUrl, { retryCount: 0 }), rpcSchema: rpcSchema<SyncSchema>() })
}

/**
 * Sends transactions in order, each after the previous one is mined, because later ones may depend on it.
 *
 * @throws {DevnetError} `DEPLOYMENT_FAILED` at the first transaction that is rejected or reverts.
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

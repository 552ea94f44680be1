import type { PoolRates } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { type Address, type Hex, isAddressEqual, type PrivateKeyAccount, type TransactionReceipt } from 'viem'
import type { ConnectedChain } from './connect.ts'
import type { Context } from './context.ts'
import { type ContractCall, type EncodedCall, sendTransaction } from './sendTransaction.ts'

/** State shared by the steps of `firmquote settle`. `receipts` has one entry per mined transaction. */
export type Settling = {
  context: Context
  json: boolean
  chain: ConnectedChain
  rpcUrl: string
  account: PrivateKeyAccount
  pool: Address
  pools: readonly PoolRates[]
  receipts: TransactionReceipt[]
}

/**
 * Sends a transaction and keeps its receipt. `reportSent` replaces the usual output.
 *
 * @throws the errors of `sendTransaction`.
 */
export async function sendReported(
  parts: Settling,
  call: ContractCall | EncodedCall,
  reportSent?: (transactionHash: Hex) => void,
): Promise<TransactionReceipt> {
  const { context, json, chain, rpcUrl, account, receipts } = parts
  const report = (transactionHash: Hex) =>
    context.write(
      json
        ? `${encodeJson({ type: 'sent', data: { transactionHash } })}\n`
        : `Sent ${transactionHash}, waiting for it to be mined.\n`,
    )
  const receipt = await sendTransaction(chain, rpcUrl, account, call, { ...context, onSent: reportSent ?? report })
  receipts.push(receipt)
  return receipt
}

/** Returns a token's symbol and decimals, if the service lists a pool with it. */
export function tokenOf(pools: readonly PoolRates[], token: Address | undefined) {
  return token && pools.find(({ loanToken }) => isAddressEqual(loanToken.address, token))?.loanToken
}

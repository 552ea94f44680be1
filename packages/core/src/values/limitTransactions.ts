import { formatEther, type LocalAccount } from 'viem'
import { BaseError } from '../errors.ts'

/** Limits on the transactions that an account signs. */
export type TransactionLimits = {
  /** Maximum gas fee of a transaction, in wei: its gas limit times its highest gas price. Default: unlimited. */
  maxFee?: bigint
  /** Required chain id. Default: any. */
  chainId?: number
}

/** An account refused to sign a transaction. Codes `FEE_TOO_HIGH` and `WRONG_CHAIN`. */
export class TransactionLimitError extends BaseError {
  override name = 'TransactionLimitError'
}

/**
 * Restricts the transactions that a local account signs. The node proposes a transaction's gas and gas price, and even
 * its chain (`eth_fillTransaction`), so a dishonest node could otherwise spend all of the account's coins on fees.
 *
 * @returns an account that throws {@link TransactionLimitError} instead of signing.
 */
export function limitTransactions<Account extends LocalAccount>(
  account: Account,
  { maxFee, chainId }: TransactionLimits,
): Account {
  const signTransaction: LocalAccount['signTransaction'] = async (transaction, options) => {
    const { gas = 0n, gasPrice, maxFeePerGas, chainId: actual } = transaction
    const fee = gas * (maxFeePerGas ?? gasPrice ?? 0n)
    if (maxFee !== undefined && fee > maxFee) {
      const what = `The node proposes a gas fee of up to ${formatEther(fee)} ETH, above the limit of ${formatEther(maxFee)} ETH.`
      throw new TransactionLimitError('FEE_TOO_HIGH', what)
    }
    if (chainId !== undefined && actual !== chainId) {
      throw new TransactionLimitError('WRONG_CHAIN', `The node names chain ${actual}, not chain ${chainId}.`)
    }
    return account.signTransaction(transaction, options)
  }
  return { ...account, signTransaction }
}

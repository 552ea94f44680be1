import { limitTransactions } from '@firmquote/core/utils'
import { parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Context } from './context.ts'
import { UsageError } from './errors.ts'
import { loadPrivateKey } from './loadPrivateKey.ts'

/** Options of commands that send transactions. */
export type AccountOptions = { keyFile?: string; maxFee?: string }

/**
 * Loads the key's account, which signs no transaction whose gas fee could exceed `--max-fee`.
 *
 * @throws {UsageError} if `--max-fee` is not an amount, or there is no key.
 */
export async function loadAccount(
  context: Context,
  { keyFile, maxFee = '' }: AccountOptions,
): Promise<PrivateKeyAccount> {
  if (!/^\d{1,9}(\.\d{1,18})?$/.test(maxFee)) throw new UsageError('--max-fee must be an amount of ETH, such as 0.05.')
  const account = privateKeyToAccount(await loadPrivateKey(context, keyFile))
  return limitTransactions(account, { maxFee: parseEther(maxFee) })
}

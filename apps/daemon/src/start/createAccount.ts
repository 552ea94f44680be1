import { limitTransactions } from '@firmquote/core/utils'
import type { Hex, PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Configuration } from './loadConfiguration.ts'

/**
 * Creates the maker's account. It signs transactions only for the configured chain, and only if the gas fee cannot
 * exceed `keeperMaxGas` times `keeperMaxGasPriceGwei`.
 */
export function createAccount(
  { chain: { chainId }, keeperMaxGas, keeperMaxGasPriceGwei }: Configuration,
  privateKey: Hex,
): PrivateKeyAccount {
  const maxFee = BigInt(keeperMaxGas) * BigInt(Math.round(keeperMaxGasPriceGwei * 1e9))
  return limitTransactions(privateKeyToAccount(privateKey), { chainId, maxFee })
}

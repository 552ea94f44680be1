import { ServiceClient } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { type Approval, approveLoanTokens } from '../adapters/viemChain/approveLoanTokens.ts'
import { ConfigurationError } from '../errors.ts'
import { createAccount } from './createAccount.ts'
import type { Configuration } from './loadConfiguration.ts'

/**
 * Sets the quote market's allowance for the loan tokens of the policy's pools, or of all the service's pools if the
 * policy names none.
 *
 * @param amount whole tokens, such as `500000` or `1,234.5`.
 * @throws {BaseError} if an allowance cannot be set. The message says why.
 */
export async function approve(configuration: Configuration, privateKey: Hex, amount: string): Promise<Approval[]> {
  const { chainId, quoteMarket, interestRatePool, rpcUrl } = configuration.chain
  const named = configuration.policy.pools
  const service = new ServiceClient({ orderbookUrl: configuration.service.url })
  const listed = await service.getPoolRates()
  const pools = named ? listed.filter(({ poolId }) => named.some((pool) => pool.poolId === poolId)) : listed
  const missing = named?.find(({ poolId }) => !pools.some((pool) => pool.poolId === poolId))
  if (missing) throw new ConfigurationError(`The service does not list pool ${missing.poolId}.`)
  if (pools.length === 0) throw new ConfigurationError('The service has no pools yet; there is nothing to approve.')
  const account = createAccount(configuration, privateKey)
  return approveLoanTokens({ chainId, quoteMarket, interestRatePool, rpcUrl, account }, pools, amount)
}

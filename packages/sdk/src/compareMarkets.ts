import type { Address } from 'viem'
import { InvalidInputError } from './coreErrors.ts'

/** A chain and its contracts, as in a deployment and in the service's configuration. */
export type Market = { chainId: number; contracts: { quoteMarket: Address; interestRatePool: Address } }
/** The chain and contracts that a client trusts. */
export type TrustedMarket = { chainId: number; quoteMarketAddress: Address; interestRatePoolAddress: Address }

/** Does not suggest the service's addresses, because the service may lie. */
export const marketRemedy = 'Check the URL. Take addresses only from a source that you trust, not from the service.'

/**
 * @param source what states the other market, such as "the service uses".
 * @throws {InvalidInputError} with both values, if the other market has another chain or other contracts.
 */
export function compareMarkets(
  trusted: TrustedMarket,
  { chainId, contracts }: Market,
  source: string,
  details?: string,
): void {
  const others = {
    chainId,
    quoteMarketAddress: contracts.quoteMarket,
    interestRatePoolAddress: contracts.interestRatePool,
  }
  for (const path of ['chainId', 'quoteMarketAddress', 'interestRatePoolAddress'] as const) {
    if (`${others[path]}`.toLowerCase() === `${trusted[path]}`.toLowerCase()) continue
    throw new InvalidInputError(`is ${trusted[path]}, but ${source} ${others[path]}.`, { path, details })
  }
}

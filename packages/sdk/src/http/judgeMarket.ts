import type { ServiceConfig } from '@firmquote/core'
import type { ClientConfig } from '../clientConfig.ts'
import { InvalidInputError } from '../coreErrors.ts'

/** The chain and contracts that a client trusts. */
export type Market = Pick<ClientConfig, 'chainId' | 'quoteMarketAddress' | 'interestRatePoolAddress'>

/** Does not suggest the service's addresses, because the service may lie. */
export const marketRemedy = 'Check the URL. Take addresses only from a source that you trust, not from the service.'

/** @throws {InvalidInputError} if the service uses another chain or other contracts than the client. */
export function judgeMarket({ chainId, contracts }: ServiceConfig, market: Market): void {
  const served = {
    chainId,
    quoteMarketAddress: contracts.quoteMarket,
    interestRatePoolAddress: contracts.interestRatePool,
  }
  for (const path of ['chainId', 'quoteMarketAddress', 'interestRatePoolAddress'] as const) {
    if (served[path] === market[path]) continue
    throw new InvalidInputError(`is ${market[path]}, but the service uses ${served[path]}.`, {
      path,
      details: marketRemedy,
    })
  }
}

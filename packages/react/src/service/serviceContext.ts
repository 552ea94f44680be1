import type { BorrowerClient, PoolRates, ServiceConfig } from '@firmquote/sdk'
import { createContext, useContext } from 'react'

/** The service's client, and the trusted chain and contracts. A `ServiceConfig` is assignable to `config`. */
export type Service = {
  client: BorrowerClient
  config: Pick<ServiceConfig, 'chainId'> & {
    contracts: Pick<ServiceConfig['contracts'], 'quoteMarket' | 'interestRatePool'>
  }
}

/** A pool, as described by the service. */
export type Pool = PoolRates
/** An active series of a pool. */
export type Series = PoolRates['series'][number]
/** A pool's loan token. */
export type Token = PoolRates['loanToken']

/** Context provided by `FirmquoteProvider`. */
export const ServiceContext = createContext<Service | null>(null)

/**
 * Returns the service client and configuration from the nearest provider.
 *
 * @throws {Error} if no `FirmquoteProvider` encloses the component.
 */
export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('There is no FirmquoteProvider above this component.')
  return service
}

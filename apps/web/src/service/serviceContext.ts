import type { PoolRates, ServiceClient, ServiceConfig } from '@firmquote/sdk'
import { createContext, useContext } from 'react'

/** The service that the page belongs to, and what it has said of itself. */
export type Service = {
  client: ServiceClient
  config: ServiceConfig
}

/** A pool as the service describes it. */
export type Pool = PoolRates
/** One of a pool's active series. */
export type Series = PoolRates['series'][number]
/** A pool's loan token. */
export type Token = PoolRates['loanToken']

/** Set by `App` once the configuration is there. */
export const ServiceContext = createContext<Service | null>(null)

/** The service; inside `App` there always is one. */
export function useService(): Service {
  const service = useContext(ServiceContext)
  if (!service) throw new Error('There is no ServiceContext above this component.')
  return service
}

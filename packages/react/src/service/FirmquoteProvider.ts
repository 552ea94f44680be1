// Why: docs/decisions/0054-hooks-on-wagmi.md
import type { ServiceClient } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { createElement, type ReactElement, type ReactNode, useMemo } from 'react'
import { healthQuery } from './queries.ts'
import { type Service, ServiceContext } from './serviceContext.ts'

/** What the hooks below a provider work with. */
export type FirmquoteProviderProps = {
  client: ServiceClient
  /** The chain and the contracts that are trusted. Default: those of `client.getConfig()`, never what a service names by itself. */
  config?: Service['config'] | undefined
  children?: ReactNode
}

/**
 * Gives the hooks below it their service. It stands under wagmi's `WagmiProvider` and under a `QueryClientProvider`, and keeps the
 * server's clock ({@link useServerNow}).
 *
 * @example
 * ```tsx
 * const client = new ServiceClient({ orderbookUrl: 'https://rfq.example.com' })
 *
 * <WagmiProvider config={wagmiConfig}>
 *   <QueryClientProvider client={queryClient}>
 *     <FirmquoteProvider client={client}>{children}</FirmquoteProvider>
 *   </QueryClientProvider>
 * </WagmiProvider>
 * ```
 */
export function FirmquoteProvider({ client, config, children }: FirmquoteProviderProps): ReactElement {
  const service = useMemo(() => ({ client, config: config ?? configOf(client) }), [client, config])
  return createElement(ServiceContext.Provider, { value: service }, createElement(ClockKeeper, { client }), children)
}

/** Asks for the server's time once in a while, and draws nothing. */
function ClockKeeper({ client }: { client: ServiceClient }): null {
  useQuery({ ...healthQuery(client), refetchInterval: 60_000, retry: false, notifyOnChangeProps: [] })
  return null
}

function configOf(client: ServiceClient): Service['config'] {
  const { chainId, quoteMarketAddress, interestRatePoolAddress } = client.getConfig()
  return { chainId, contracts: { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } }
}

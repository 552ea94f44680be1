// Why: docs/decisions/0054-hooks-on-wagmi.md
import type { BorrowerClient } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { createElement, type ReactElement, type ReactNode, useMemo } from 'react'
import { healthQuery } from './queries.ts'
import { type Service, ServiceContext } from './serviceContext.ts'

/** Props of {@link FirmquoteProvider}. */
export type FirmquoteProviderProps = {
  client: BorrowerClient
  /**
   * The trusted chain and contracts. Default: the values in `client.getConfig()`, never values reported by the service.
   */
  config?: Service['config'] | undefined
  children?: ReactNode
}

/**
 * Provides the service to descendant hooks and synchronizes the server clock ({@link useServerNow}). Place the provider
 * inside wagmi's `WagmiProvider` and a `QueryClientProvider`.
 *
 * @example
 * ```tsx
 * const client = new BorrowerClient({ orderbookUrl: 'https://rfq.example.com' })
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

/** Polls the server's time. Renders nothing. */
function ClockKeeper({ client }: { client: BorrowerClient }): null {
  useQuery({ ...healthQuery(client), refetchInterval: 60_000, retry: false, notifyOnChangeProps: [] })
  return null
}

function configOf(client: BorrowerClient): Service['config'] {
  const { chainId, quoteMarketAddress, interestRatePoolAddress } = client.getConfig()
  return { chainId, contracts: { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } }
}

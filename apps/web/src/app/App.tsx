import { ServiceClient } from '@firmquote/sdk'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { WagmiProvider } from 'wagmi'
import { createWagmiConfig } from '../chain/createWagmiConfig.ts'
import type { PageSettings } from '../service/pageSettings.ts'
import { configQuery } from '../service/queries.ts'
import { ServiceContext } from '../service/serviceContext.ts'
import { Announcer } from '../ui/announce.tsx'
import { Skeleton } from '../ui/Loaded.tsx'
import { ErrorState } from '../ui/Notice.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Frame } from './Frame.tsx'
import { Header } from './Header.tsx'
import { Pages } from './Pages.tsx'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: 1, staleTime: 1_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** The whole page: it learns from the service which chain it works on, and shows everything else after that. */
export function App({ settings }: { settings: PageSettings }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Announcer>
        <ErrorBoundary>
          <Start settings={settings} />
        </ErrorBoundary>
      </Announcer>
    </QueryClientProvider>
  )
}

function Start({ settings }: { settings: PageSettings }) {
  const client = useMemo(() => new ServiceClient({ orderbookUrl: settings.serviceUrl }), [settings])
  const query = useQuery({ ...configQuery(client), refetchInterval: ({ state }) => (state.data ? false : 3_000) })
  const config = query.data
  const wagmi = useMemo(() => (config ? createWagmiConfig(config.chainId) : null), [config])

  if (!config || !wagmi) {
    return (
      <Frame header={<Header />}>
        {query.error ? (
          <ErrorState title="The service cannot be reached" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton rows={6} what="the service" />
        )}
      </Frame>
    )
  }
  return (
    <ServiceContext value={{ client, config }}>
      <WagmiProvider config={wagmi}>
        <Pages />
      </WagmiProvider>
    </ServiceContext>
  )
}

import { configQuery, FirmquoteProvider, healthQuery } from '@firmquote/react'
import { BorrowerClient, TimeoutError } from '@firmquote/sdk'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type CreateConnectorFn, WagmiProvider } from 'wagmi'
import { createWagmiConfig } from '../chain/createWagmiConfig.ts'
import { type Words, WordsContext } from '../copy/words.ts'
import { type WebAppSettings, WebAppSettingsContext } from '../service/webAppSettings.ts'
import { Announcer } from '../ui/announce.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Footer } from './Footer.tsx'
import { Frame } from './Frame.tsx'
import { Header } from './Header.tsx'
import { judgeTrouble } from './judgeTrouble.ts'
import { Opening } from './Opening.tsx'
import { watchOutages } from './outageWatch.ts'
import { Pages } from './Pages.tsx'
import { TroubleBanner } from './TroubleBanner.tsx'
import { useSigns } from './useSigns.ts'

/** Timeout of a request in milliseconds, which bounds when the visitor learns that the service does not answer. */
const answerMs = 7_000

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && !(error instanceof TimeoutError),
      staleTime: 1_000,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

const outages = watchOutages(queryClient.getQueryCache())

/** The whole web app. Reads the chain's settings from the service's configuration and then renders the views. */
export function App(props: { settings: WebAppSettings; words: Words; connectors: CreateConnectorFn[] }) {
  const { settings, words, connectors } = props
  return (
    <WordsContext value={words}>
      <WebAppSettingsContext value={settings}>
        <QueryClientProvider client={queryClient}>
          <Announcer>
            <Toasts>
              <ErrorBoundary>
                <Start settings={settings} connectors={connectors} />
              </ErrorBoundary>
            </Toasts>
          </Announcer>
        </QueryClientProvider>
      </WebAppSettingsContext>
    </WordsContext>
  )
}

function Start({ settings, connectors }: { settings: WebAppSettings; connectors: CreateConnectorFn[] }) {
  const client = useMemo(
    () => new BorrowerClient({ orderbookUrl: settings.serviceUrl }, { timeoutMs: answerMs }),
    [settings],
  )
  const query = useQuery({ ...configQuery(client), refetchInterval: ({ state }) => (state.data ? false : 3_000) })
  const config = query.data
  const signs = useSigns(outages, healthQuery(client).queryKey)
  const wagmi = useMemo(() => (config ? createWagmiConfig(config.chainId, connectors) : null), [config, connectors])

  if (!config || !wagmi) {
    return (
      <Frame
        header={<Header />}
        banner={<TroubleBanner trouble={judgeTrouble({ ...signs, health: undefined })} />}
        footer={<Footer />}
      >
        <Opening />
        <Loaded query={query} what="service" rows={6}>
          {() => null}
        </Loaded>
      </Frame>
    )
  }
  return (
    <WagmiProvider config={wagmi}>
      <FirmquoteProvider client={client} config={config}>
        <Pages signs={signs} />
      </FirmquoteProvider>
    </WagmiProvider>
  )
}

import { FirmquoteProvider } from '@firmquote/react'
import { ServiceClient } from '@firmquote/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { base } from 'wagmi/chains'
import { Dapp } from './Dapp.tsx'
import { demoAccount } from './demoAccount.ts'

const config = createConfig({
  chains: [base],
  // wagmi discovers wallets that announce themselves. Other wallets need a connector.
  connectors: import.meta.env.DEV ? [demoAccount()] : [],
  transports: { [base.id]: http() },
})
const client = new ServiceClient({ orderbookUrl: import.meta.env['VITE_FIRMQUOTE_URL'] ?? 'http://localhost:3005' })
const queryClient = new QueryClient()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <WagmiProvider config={config}>
        <QueryClientProvider client={queryClient}>
          <FirmquoteProvider client={client}>
            <Dapp />
          </FirmquoteProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
}

import { type Config, type CreateConnectorFn, createConfig, createStorage, injected, unstable_connector } from 'wagmi'
import { lastingStorage } from '../service/browserStorage.ts'
import { chainOf } from './chainOf.ts'

/**
 * Wallets that announce themselves (EIP-6963), on one chain. The page reads the chain through the connected wallet, so no
 * request of its own leaves for a node.
 *
 * @param connectors of wallets that do not announce themselves.
 */
export function createWagmiConfig(chainId: number, connectors: CreateConnectorFn[]): Config {
  const chain = chainOf(chainId)
  return createConfig({
    chains: [chain],
    connectors,
    // wagmi's own throws where the browser forbids it.
    storage: createStorage({ storage: lastingStorage }),
    multiInjectedProviderDiscovery: true,
    transports: { [chain.id]: unstable_connector(injected) },
    pollingInterval: 1_000,
  })
}

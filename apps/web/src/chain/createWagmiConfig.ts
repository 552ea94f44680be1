import { type Config, type CreateConnectorFn, createConfig, createStorage, injected, unstable_connector } from 'wagmi'
import { lastingStorage } from '../service/browserStorage.ts'
import { chainOf } from './chainOf.ts'

/**
 * Creates the wagmi configuration for one chain and for announced wallets (EIP-6963). All chain reads go through the
 * connected wallet. The app itself never contacts a node.
 *
 * @param connectors Connectors for wallets that do not announce themselves.
 */
export function createWagmiConfig(chainId: number, connectors: CreateConnectorFn[]): Config {
  const chain = chainOf(chainId)
  return createConfig({
    chains: [chain],
    connectors,
    // wagmi's default storage throws if the browser blocks storage.
    storage: createStorage({ storage: lastingStorage }),
    multiInjectedProviderDiscovery: true,
    transports: { [chain.id]: unstable_connector(injected) },
    pollingInterval: 1_000,
  })
}

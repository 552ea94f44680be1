import { type Config, createConfig, injected, unstable_connector } from 'wagmi'
import { chainOf } from './chainOf.ts'

/**
 * Wallets that announce themselves (EIP-6963), on one chain. The page reads the chain through the connected wallet, so no
 * request of its own leaves for a node.
 */
export function createWagmiConfig(chainId: number): Config {
  const chain = chainOf(chainId)
  return createConfig({
    chains: [chain],
    connectors: [],
    multiInjectedProviderDiscovery: true,
    transports: { [chain.id]: unstable_connector(injected) },
    pollingInterval: 1_000,
  })
}

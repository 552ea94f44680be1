import { getChainName } from '@firmquote/sdk'
import { type Chain, defineChain } from 'viem'
import { base } from 'viem/chains'

/** The chain that the service works on, as wallets want to hear of it. */
export function chainOf(chainId: number): Chain {
  if (chainId === base.id) return base
  return defineChain({
    id: chainId,
    name: getChainName(chainId),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    // The page reads through the wallet, which knows its own way to the chain.
    rpcUrls: { default: { http: [] } },
  })
}

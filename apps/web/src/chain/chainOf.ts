import { getChainName } from '@firmquote/sdk'
import { type Chain, defineChain } from 'viem'
import { base } from 'viem/chains'
import type { WebAppSettings } from '../service/webAppSettings.ts'

/** Returns the service's chain as a viem chain. */
export function chainOf(chainId: number): Chain {
  if (chainId === base.id) return base
  return defineChain({
    id: chainId,
    name: getChainName(chainId),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    // The app reads the chain through the connected wallet's node.
    rpcUrls: { default: { http: [] } },
  })
}

/**
 * Returns the URL of the operator's block explorer, or else the chain's own, without a trailing slash. Returns null if
 * there is no block explorer, or on a devnet, which reuses a real chain's id. Pure.
 */
export function explorerOf(
  chainId: number,
  { explorer, devnet }: Pick<WebAppSettings, 'explorer' | 'devnet'>,
): string | null {
  if (explorer !== null) return explorer
  return devnet === null ? (chainOf(chainId).blockExplorers?.default.url ?? null) : null
}

import { getChainName } from '@firmquote/sdk'
import { type Chain, defineChain } from 'viem'
import { base } from 'viem/chains'
import type { WebAppSettings } from '../service/webAppSettings.ts'

/** The service's chain, as wallets expect its description. */
export function chainOf(chainId: number): Chain {
  if (chainId === base.id) return base
  return defineChain({
    id: chainId,
    name: getChainName(chainId),
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    // The app reads the chain through the wallet, which has its own node.
    rpcUrls: { default: { http: [] } },
  })
}

/**
 * The block explorer's URL without a trailing slash: the operator's, otherwise the chain's. Null without one, and on a
 * devnet, which only borrows a real chain's id. Pure.
 */
export function explorerOf(
  chainId: number,
  { explorer, devnet }: Pick<WebAppSettings, 'explorer' | 'devnet'>,
): string | null {
  if (explorer !== null) return explorer
  return devnet === null ? (chainOf(chainId).blockExplorers?.default.url ?? null) : null
}

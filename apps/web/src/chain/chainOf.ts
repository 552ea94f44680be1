import { getChainName } from '@firmquote/sdk'
import { type Chain, defineChain } from 'viem'
import { base } from 'viem/chains'
import type { PageSettings } from '../service/pageSettings.ts'

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

/**
 * The block explorer, without a slash at its end: the operator's, else that of the chain. Null where there is none, and on a devnet,
 * whose chain only has the id of a real one. Pure.
 */
export function explorerOf(
  chainId: number,
  { explorer, devnet }: Pick<PageSettings, 'explorer' | 'devnet'>,
): string | null {
  if (explorer !== null) return explorer
  return devnet === null ? (chainOf(chainId).blockExplorers?.default.url ?? null) : null
}

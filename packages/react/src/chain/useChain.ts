import { useEffect } from 'react'
import { useAccount, useConnectorClient } from 'wagmi'
import type { WalletClient } from '../jobs/askWallet.ts'
import { useService } from '../service/serviceContext.ts'

/** The app's current access to the chain. */
export type ChainAccess =
  /** No wallet is connected. */
  | { state: 'none' }
  /** The wallet is on another chain. The app neither reads nor sends through it. */
  | { state: 'wrongNetwork'; chainId: number | undefined }
  /** Waiting for the wallet. */
  | { state: 'connecting' }
  /** Reads and sends through the connected wallet. */
  | { state: 'ready'; client: WalletClient }

/** Returns the connected wallet's access to the chain. */
export function useChain(): ChainAccess {
  const { config } = useService()
  // wagmi 3 names this hook `useConnection` and keeps the old name, the only one in wagmi 2.
  const { address, isConnected, chainId, status } = useAccount()
  // If the wallet is on another network, the request would fail and wagmi would cache the failure.
  const enabled = isConnected && chainId === config.chainId
  const { data: client, refetch } = useConnectorClient({ chainId: config.chainId, query: { enabled } })
  const isOther = client && client.account.address.toLowerCase() !== address?.toLowerCase()
  // wagmi replaces the previous account's client only for components that have seen both accounts.
  useEffect(() => {
    if (enabled && isOther) void refetch()
  }, [enabled, isOther, refetch])
  if (!isConnected)
    return status === 'reconnecting' || status === 'connecting' ? { state: 'connecting' } : { state: 'none' }
  if (chainId !== config.chainId) return { state: 'wrongNetwork', chainId }
  return client && !isOther ? { state: 'ready', client } : { state: 'connecting' }
}

/** Returns the connected wallet's client, or null if it is not ready. */
export function useWallet(): WalletClient | null {
  const chain = useChain()
  return chain.state === 'ready' ? chain.client : null
}

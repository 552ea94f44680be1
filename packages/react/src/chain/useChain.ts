import { readLatestBlock } from '@firmquote/core/chain'
import { type BlockRef, ChainUnavailableError } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Account, type Client, isAddressEqual } from 'viem'
import { useAccount, useConnectorClient } from 'wagmi'
import { queryKeys } from '../service/queryKeys.ts'
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
  | { state: 'ready'; client: Client & { account: Account } }

/** Returns the connected wallet's access to the chain. */
export function useChain(): ChainAccess {
  const { config } = useService()
  // wagmi 3 names this hook `useConnection` and keeps the old name, the only one in wagmi 2.
  const { address, isConnected, chainId, status } = useAccount()
  // If the wallet is on another network, the request would fail and wagmi would cache the failure.
  const { data: client } = useConnectorClient({
    chainId: config.chainId,
    query: { enabled: isConnected && chainId === config.chainId },
  })
  if (!isConnected)
    return status === 'reconnecting' || status === 'connecting' ? { state: 'connecting' } : { state: 'none' }
  if (chainId !== config.chainId) return { state: 'wrongNetwork', chainId }
  // After an account change, wagmi briefly returns the previous account's client.
  if (!client?.account || !address || !isAddressEqual(client.account.address, address)) return { state: 'connecting' }
  return { state: 'ready', client: client as Client & { account: Account } }
}

/** Polls the latest block every second while a wallet is connected. */
export function useBlock(): UseQueryResult<BlockRef> {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  return useQuery({
    queryKey: [...queryKeys.chain, 'block', client?.uid],
    queryFn: async () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      return readLatestBlock(client)
    },
    enabled: client !== null,
    refetchInterval: 1_000,
    // Report a failed read immediately. If the read were retried, the older block would still be shown in the meantime.
    retry: false,
  })
}

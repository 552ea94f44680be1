import { readLatestBlock } from '@firmquote/core/chain'
import { type BlockRef, ChainUnavailableError } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Account, type Client, isAddressEqual } from 'viem'
import { useConnection, useConnectorClient } from 'wagmi'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'

/** What the page can do with the chain right now. */
export type ChainAccess =
  /** No wallet is connected. */
  | { state: 'none' }
  /** The wallet is on another chain: nothing may be read through it, nothing sent. */
  | { state: 'wrongNetwork'; chainId: number | undefined }
  /** The wallet is being asked. */
  | { state: 'connecting' }
  /** Reads and sends through the connected wallet. */
  | { state: 'ready'; client: Client & { account: Account } }

/** The connected wallet as a way to the chain. */
export function useChain(): ChainAccess {
  const { config } = useService()
  const { address, isConnected, chainId, status } = useConnection()
  // Asked on another network it would fail, and stay so.
  const { data: client } = useConnectorClient({
    chainId: config.chainId,
    query: { enabled: isConnected && chainId === config.chainId },
  })
  if (!isConnected)
    return status === 'reconnecting' || status === 'connecting' ? { state: 'connecting' } : { state: 'none' }
  if (chainId !== config.chainId) return { state: 'wrongNetwork', chainId }
  // After a change of account, wagmi still has the client of the one before for a moment.
  if (!client?.account || !address || !isAddressEqual(client.account.address, address)) return { state: 'connecting' }
  return { state: 'ready', client: client as Client & { account: Account } }
}

/** The newest block, looked for every second while a wallet is there to ask. */
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
    // A block that could not be read is not an old one.
    retry: false,
  })
}

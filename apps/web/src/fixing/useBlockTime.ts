import { useChain } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { getBlock } from 'viem/actions'

/** Returns a block's timestamp in Unix seconds, or undefined while it is unknown or no wallet is connected. */
export function useBlockTime(blockNumber: bigint): number | undefined {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const { data } = useQuery({
    queryKey: ['blockTime', client?.uid, blockNumber.toString()],
    queryFn: async () => (client ? Number((await getBlock(client, { blockNumber })).timestamp) : null),
    enabled: client !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? undefined
}

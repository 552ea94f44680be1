import { useChain } from '@firmquote/react'
import { ChainUnavailableError } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Address, erc20Abi } from 'viem'
import { readContract } from 'viem/actions'

/** Queries the connected account's balance of a token, in raw units. Disabled if no wallet is connected. */
export function useLoanTokenBalance(token: Address | undefined): UseQueryResult<bigint> {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  return useQuery({
    queryKey: ['balance', client?.uid, client?.account.address, token],
    queryFn: async () => {
      if (!client || !token) throw new ChainUnavailableError('No wallet is connected.')
      const args = [client.account.address] as const
      return readContract(client, { address: token, abi: erc20Abi, functionName: 'balanceOf', args })
    },
    enabled: client !== null && token !== undefined,
    refetchInterval: 10_000,
  })
}

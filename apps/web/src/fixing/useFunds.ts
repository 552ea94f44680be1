import { useChain } from '@firmquote/react'
import { ChainUnavailableError } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Address, erc20Abi } from 'viem'
import { getBalance, getGasPrice, readContract } from 'viem/actions'
import type { Funds } from './judgeFunds.ts'

/** Queries the connected account's funds for paying in a token. Disabled if no wallet is connected. */
export function useFunds(token: Address): UseQueryResult<Funds> {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  return useQuery({
    queryKey: ['funds', client?.uid, client?.account.address, token],
    queryFn: async () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      const { address } = client.account
      const [balance, coins, gasPrice] = await Promise.all([
        readContract(client, { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
        getBalance(client, { address }),
        getGasPrice(client),
      ])
      return { balance, coins, gasPrice }
    },
    enabled: client !== null,
    refetchInterval: 10_000,
  })
}

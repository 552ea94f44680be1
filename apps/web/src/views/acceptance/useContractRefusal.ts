import { queryKeys, type Transaction, useChain } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { BaseError as ViemError } from 'viem'
import { call, getTransaction } from 'viem/actions'
import type { ContractRefusal } from '../../copy/contractErrors.ts'
import { refusalIn } from './explainFailure.ts'

/**
 * Determines why a mined transaction reverted, by simulating it at its block. Returns null while the reason is unknown
 * or if it cannot be determined.
 */
export function useContractRefusal(transaction: Transaction): ContractRefusal | null {
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const reverted = transaction.state === 'reverted' ? transaction : null
  const { data } = useQuery({
    queryKey: [...queryKeys.chain, 'refusal', reverted?.hash],
    queryFn: async () => {
      if (!client || !reverted) return null
      const { from, to, input, value } = await getTransaction(client, { hash: reverted.hash })
      try {
        await call(client, { account: from, to, data: input, value, blockNumber: reverted.block })
        return null
      } catch (error) {
        return error instanceof ViemError ? refusalIn(error) : null
      }
    },
    enabled: client !== null && reverted !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return data ?? null
}

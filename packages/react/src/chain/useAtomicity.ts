import { readAtomicity } from '@firmquote/sdk/jobs'
import { useQuery } from '@tanstack/react-query'
import { queryKeys } from '../service/queryKeys.ts'
import { useService } from '../service/serviceContext.ts'
import { useChain } from './useChain.ts'

/**
 * Whether the connected wallet supports atomic batches (EIP-5792). The result is false until the wallet confirms
 * support.
 */
export function useAtomicity(): boolean {
  const { chainId } = useService().config
  const chain = useChain()
  const client = chain.state === 'ready' ? chain.client : null
  const { data } = useQuery({
    queryKey: [...queryKeys.chain, 'atomicity', client?.uid, client?.account.address],
    queryFn: () => (client ? readAtomicity(client, { from: client.account.address, chainId }) : 'unsupported'),
    enabled: client !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data !== undefined && data !== 'unsupported'
}

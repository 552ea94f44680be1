import { readAtomicity } from '@firmquote/sdk/jobs'
import { useService } from '../service/serviceContext.ts'
import { useChainQuery } from './useChainQuery.ts'

/**
 * Whether the connected wallet supports atomic batches (EIP-5792). The result is false until the wallet confirms
 * support.
 */
export function useAtomicity(): boolean {
  const { chainId } = useService().config
  const { data } = useChainQuery(
    ['atomicity'],
    (client) => readAtomicity(client, { from: client.account.address, chainId }),
    { staleTime: Number.POSITIVE_INFINITY },
  )
  return data !== undefined && data !== 'unsupported'
}

import { ChainUnavailableError } from '@firmquote/sdk'
import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ChainErrorType } from '../errors.ts'
import type { WalletClient } from '../jobs/askWallet.ts'
import { queryKeys } from '../service/queryKeys.ts'
import { useWallet } from './useChain.ts'

/**
 * Reads the chain through the connected wallet.
 *
 * @param key The end of the query's key. The wallet's client and account are added.
 */
export function useChainQuery<Data, Selected = Data>(
  key: readonly unknown[],
  read: (client: WalletClient) => Promise<Data>,
  options: Omit<UseQueryOptions<Data, ChainErrorType, Selected, readonly unknown[]>, 'queryKey' | 'enabled'> & {
    enabled?: boolean | undefined
  },
): UseQueryResult<Selected, ChainErrorType> {
  const client = useWallet()
  return useQuery({
    ...options,
    queryKey: [...queryKeys.chain, client?.uid, client?.account.address, ...key],
    queryFn: async () => {
      if (!client) throw new ChainUnavailableError('No wallet is connected.')
      return read(client)
    },
    enabled: client !== null && options.enabled !== false,
  })
}

import { readLatestBlock } from '@firmquote/core/chain'
import type { BlockRef } from '@firmquote/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ChainErrorType } from '../errors.ts'
import type { QueryParameter } from '../service/useServiceQuery.ts'
import { useChainQuery } from './useChainQuery.ts'

/** Polls the latest block every second while a wallet is connected. */
export function useBlock<Selected = BlockRef>({
  query,
}: QueryParameter<BlockRef, Selected, ChainErrorType> = {}): UseQueryResult<Selected, ChainErrorType> {
  return useChainQuery(['block'], readLatestBlock, {
    refetchInterval: 1_000,
    // Report a failed read immediately. If the read were retried, the older block would still be shown in the meantime.
    retry: false,
    ...query,
  })
}

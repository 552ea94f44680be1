import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { awaitBlock } from './awaitedBlock.ts'
import { queryKeys } from './queryKeys.ts'

/** Refetches the account's positions once a transaction has ended or a quote is taken. `block` is then known. */
export function useRefetchPositions({ state, block }: { state?: string; block?: bigint }): void {
  const cache = useQueryClient()
  // Refetch after a failure as well, because another account may have settled the position first.
  useEffect(() => {
    if (block !== undefined) awaitBlock(block)
    if (block !== undefined || state === 'failed') void cache.invalidateQueries({ queryKey: queryKeys.positions })
  }, [cache, state, block])
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Transaction } from '../jobs/transactionOf.ts'
import { awaitBlock } from '../service/awaitedBlock.ts'
import { queryKeys } from '../service/queryKeys.ts'

/** Refetches the account's positions once a transaction has ended. */
export function useRefetchPositions(transaction: Transaction): void {
  const cache = useQueryClient()
  const { state: sent } = transaction
  const endedAt = 'block' in transaction ? transaction.block : null
  // Refetch after a failure as well, because another account may have settled the position first.
  useEffect(() => {
    if (endedAt !== null) awaitBlock(endedAt)
    if (endedAt !== null || sent === 'failed') void cache.invalidateQueries({ queryKey: queryKeys.positions })
  }, [cache, sent, endedAt])
}

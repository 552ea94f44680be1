import type { RFQRequest, TakerRecord } from '@firmquote/core'
import type { TakerDebt } from '../../domain/takerDebt.ts'
import { maxCounted, takerRecord } from '../../domain/takerRecord.ts'
import { createFirstRecentBlock, recentMs } from '../chain/recentBlocks.ts'
import { chainRejection } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { OpenRefusal } from './openRefusal.ts'

/**
 * Creates the reader of the taker records shown to makers with funds. The reader returns null unless the taker is
 * verified and asked to share the record. A verified taker's proof covers `shareRecord`.
 */
export function createReadTakerRecord(deps: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'sync'>) {
  const { clock, store } = deps
  const firstBlock = createFirstRecentBlock(deps)

  return async (
    { shareRecord }: Pick<RFQRequest, 'shareRecord'>,
    verified: TakerDebt | null,
  ): Promise<Outcome<TakerRecord | null, OpenRefusal>> => {
    if (!shareRecord || !verified) return { ok: true, value: null }
    try {
      const counts = await store.countTaker({
        taker: verified.taker,
        since: Math.floor(clock.now()) - recentMs,
        from: await firstBlock(),
        most: maxCounted,
      })
      return { ok: true, value: takerRecord(verified, counts) }
    } catch (error) {
      const rejection = chainRejection(error)
      if (rejection) return { ok: false, rejection }
      throw error
    }
  }
}

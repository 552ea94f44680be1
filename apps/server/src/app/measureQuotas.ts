import type { QuotaRejection } from '../domain/quotas.ts'
import type { CountedLimit, Metrics } from '../ports/metrics.ts'
import type { Quotas } from '../ports/quotas.ts'

const limitOf: Record<QuotaRejection['code'], CountedLimit> = {
  RATE_LIMITED: 'RFQS_PER_MINUTE',
  TOO_MANY_OPEN: 'OPEN_RFQS',
  OVERLOADED: 'OPEN_AUCTIONS',
}

/** Wraps quotas to count refusals by limit. */
export function measureQuotas(quotas: Quotas, metrics: Pick<Metrics, 'limitReached'>): Quotas {
  return {
    ...quotas,
    async admit(asked, keptMs) {
      const admitted = await quotas.admit(asked, keptMs)
      if (!admitted.ok) metrics.limitReached(limitOf[admitted.rejection.code])
      return admitted
    },
    async spendProof(counts) {
      const refused = await quotas.spendProof(counts)
      if (refused) metrics.limitReached(limitOf[refused.code])
      return refused
    },
  }
}

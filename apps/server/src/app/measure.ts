import type { Clock } from '@firmquote/core/utils'
import type { QuotaRejection } from '../domain/quotas.ts'
import type { CountedLimit, Metrics } from '../ports/metrics.ts'
import type { Quotas } from '../ports/quotas.ts'
import { type Store, storeWrites } from '../ports/store.ts'
import { describeFailure } from './failure.ts'
import type { Outcome } from './outcome.ts'
import type { Service } from './service.ts'

/** Maps each rejection code to the limit that caused it. */
const limitOf: Partial<Record<string, CountedLimit>> = {
  TOO_MANY_OPEN: 'STORED_QUOTES_PER_MAKER',
  OVERLOADED: 'RUNNING_JUDGEMENTS',
}

/** Wraps a service to count and time its verdicts. */
export function measureService(
  service: Service,
  { metrics, clock }: { metrics: Metrics; clock: Pick<Clock, 'monotonic'> },
): Service {
  const { hub, book } = service

  async function judged<T>(from: 'socket' | 'http', judge: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const startedAt = clock.monotonic()
    metrics.quoteArrived(from)
    const note = (verdict: Parameters<Metrics['quoteJudged']>[0]['verdict']) =>
      metrics.quoteJudged({ from, verdict, seconds: (clock.monotonic() - startedAt) / 1_000 })
    try {
      const outcome = await judge()
      note(outcome.ok ? 'ACCEPTED' : outcome.rejection.code)
      const limit = outcome.ok ? undefined : limitOf[outcome.rejection.code]
      if (limit) metrics.limitReached(limit)
      return outcome
    } catch (error) {
      note(describeFailure(error).code)
      throw error
    }
  }

  return {
    ...service,
    hub: {
      ...hub,
      submit: (submission) => judged('socket', () => hub.submit(submission)),
    },
    book: { ...book, submit: (quote, network) => judged('http', () => book.submit(quote, network)) },
  }
}

/** Wraps a store to count its writes and measure how long they wait for the commit. */
export function measureStore(
  store: Store,
  { metrics, clock }: { metrics: Pick<Metrics, 'writeAsked' | 'writeEnded'>; clock: Pick<Clock, 'monotonic'> },
): Store {
  const measured =
    (write: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]): Promise<unknown> => {
      const startedAt = clock.monotonic()
      let outcome: 'committed' | 'failed' = 'failed'
      metrics.writeAsked()
      try {
        const answer = await write(...given)
        outcome = 'committed'
        return answer
      } finally {
        metrics.writeEnded({ outcome, seconds: (clock.monotonic() - startedAt) / 1_000 })
      }
    }
  const names = [...storeWrites, 'probe'] as const
  return {
    ...store,
    ...(Object.fromEntries(
      names.map((name) => [name, measured(store[name] as (...given: unknown[]) => Promise<unknown>)]),
    ) as Pick<Store, (typeof names)[number]>),
  }
}

const limitOfRefusal: Record<QuotaRejection['code'], CountedLimit> = {
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
      if (!admitted.ok) metrics.limitReached(limitOfRefusal[admitted.rejection.code])
      return admitted
    },
    async spendProof(counts) {
      const refused = await quotas.spendProof(counts)
      if (refused) metrics.limitReached(limitOfRefusal[refused.code])
      return refused
    },
  }
}

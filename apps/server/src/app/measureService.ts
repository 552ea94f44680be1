import type { Clock } from '@firmquote/core'
import type { CountedLimit, Metrics } from '../ports/metrics.ts'
import { describeFailure } from './failure.ts'
import type { Outcome } from './outcome.ts'
import type { Service } from './service.ts'

/** The limits that refuse quotes with these codes. */
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

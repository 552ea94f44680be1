import type { Clock } from '@firmquote/core'
import type { Metrics } from '../ports/metrics.ts'
import { type Store, storeWrites } from '../ports/store.ts'

/** Wraps a store to count its writes and measure their wait for the commit. */
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

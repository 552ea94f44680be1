import { OutcomeUnknownError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import type { Place, Quotas } from '../../../apps/server/src/ports/quotas.ts'
import type { Life } from './life.ts'
import type { Random } from './random.ts'
import type { StorageFaults } from './simStore.ts'

/** How a life reaches the quotas. */
export type SimQuotasOptions = {
  /** What is counted in the database, by its clock. */
  shared: Quotas
  life: Life
  random: Random
  faults: () => StorageFaults
}

/**
 * Connects a life to quotas that several instances share: each call takes its time, may be refused, and may have been done although
 * no answer has come. A place of a life that has ended is never released.
 */
export function createSimQuotas({ shared, life, random, faults }: SimQuotasOptions): Quotas {
  const call = <T>(run: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const { refuse, unknown } = faults()
      if (random.chance(refuse)) {
        life.after(random.below(5), () => reject(new StorageUnavailableError('The database did not take it.')))
        return
      }
      const isUnknown = random.chance(unknown)
      life.after(random.between(1, 4), () => {
        const pause = random.below(3)
        void run().then((value) =>
          life.after(pause, () =>
            isUnknown ? reject(new OutcomeUnknownError('The connection was lost during a write.')) : resolve(value),
          ),
        )
      })
    })

  const placeOf = (place: Place): Place => ({
    verified: place.verified,
    release: () => void life.after(random.between(1, 4), place.release),
    abandon: () => call(place.abandon).catch(() => false),
  })

  return {
    admit: async (asked, keptMs) => {
      const admitted = await call(() => shared.admit(asked, keptMs))
      return admitted.ok ? { ok: true, place: placeOf(admitted.place) } : admitted
    },
    // Its place is among those that are shared.
    takeUp: () => () => {},
    spendProof: (counts) => call(() => shared.spendProof(counts)),
    admitCheck: (sender) => call(() => shared.admitCheck(sender)),
  }
}

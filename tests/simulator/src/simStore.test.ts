import { afterEach, beforeEach, describe } from '@jest/globals'
import type { Store } from '../../../apps/server/src/ports/store.ts'
import { describeAuctions } from '../../../apps/server/test/adapters/auctionContract.ts'
import { describeStatuses } from '../../../apps/server/test/adapters/statusContract.ts'
import { createLife } from './life.ts'
import { createRandom } from './random.ts'
import { createSimDatabase } from './simDatabase.ts'
import { createSimStore, soundStorage } from './simStore.ts'
import { createSimTransactions } from './simTransactions.ts'
import { createTimeline } from './timeline.ts'
import { createTrace } from './trace.ts'

/** Creates a store whose clock advances automatically, since the contract suite only awaits answers. */
async function createRunningStore() {
  const timeline = createTimeline()
  const random = createRandom(1, 'contract')
  const life = createLife({ timeline, random, wall: { offset: 0, kept: 0 } }, { id: 0, instance: 0 })
  const store = createSimStore({
    database: await createSimDatabase(null),
    life,
    timeline,
    random,
    trace: createTrace(timeline.now, false),
    shared: createSimTransactions(timeline),
    faults: () => soundStorage,
  })
  const run = () => {
    for (let steps = 0; steps < 100; steps += 1) {
      if (timeline.step(timeline.now() + 1_000)) continue
      waiting = false
      return
    }
    setImmediate(run)
  }
  let waiting = false
  const started = <Given extends unknown[], Answer>(call: (...given: Given) => Answer) => {
    return (...given: Given): Answer => {
      const answer = call(...given)
      if (!waiting) {
        waiting = true
        setImmediate(run)
      }
      return answer
    }
  }
  return Object.fromEntries(
    Object.entries(store).map(([name, method]) => [name, started(method as (...given: unknown[]) => unknown)]),
  ) as unknown as typeof store
}

describe('store contract: simulated', () => {
  let store: Store
  beforeEach(async () => {
    store = await createRunningStore()
  })
  afterEach(() => store.close())

  describeAuctions(() => store, { count: 200, ordered: true })
  describeStatuses(() => store)
})

import type { RFQStarted, RFQSummary } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { rounds } from '@firmquote/test-support/trial'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startPlannedBacker } from './plannedBacker.ts'
import { stopAfter } from './stopAfter.ts'

// Measures a real 15-second auction from the borrower's side, by the wall clock. The time limits require an idle
// machine.

let stack: Stack
const started = stopAfter(afterAll)
beforeAll(async () => {
  stack = started(await startStack())
  started(await startPlannedBacker(stack.url, stack.devnet.backers[0], { aprBps: 510n, delayMs: 300 }))
}, 60_000)

test(
  `behavior: each of ${rounds} auctions ends 15 seconds after it starts, within a quarter of a second`,
  async () => {
    const [pool] = stack.devnet.pools
    const [series] = pool.series
    if (!series) throw new TypeError('The devnet has no series.')
    const client = new ServiceClient({ orderbookUrl: stack.url })
    for (let round = 0; round < rounds; round += 1) {
      const askedAt = performance.now()
      let [startedAt, quotedAt] = [0, 0]
      let started: RFQStarted | undefined
      let done: RFQSummary | undefined
      const request = { poolId: pool.poolId, expiry: series.expiry, notional: 250_000_000_000n }
      for await (const event of client.streamQuotes(request)) {
        if (event.type === 'started') [startedAt, started] = [performance.now(), event.data]
        if (event.type === 'quote') quotedAt = performance.now()
        if (event.type === 'done') done = event.data
      }
      const endedAt = performance.now()
      expect(endedAt - startedAt).toBeGreaterThan(14_750)
      expect(endedAt - startedAt).toBeLessThan(15_250)
      expect(endedAt - askedAt).toBeLessThan(16_500)
      expect(quotedAt - startedAt).toBeGreaterThan(250)
      expect(quotedAt - startedAt).toBeLessThan(1_300)
      expect((done?.closedAt ?? 0) - (started?.closesAt ?? 0)).toBeGreaterThanOrEqual(0)
      expect((done?.closedAt ?? 0) - (started?.closesAt ?? 0)).toBeLessThan(250)
    }
  },
  60_000 + 20_000 * rounds,
)

import { setTimeout as sleep } from 'node:timers/promises'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { approve, type Daemons, startDaemons, usd } from './startDaemons.ts'
import { stopAfter } from './stopAfter.ts'

const started = stopAfter(afterEach)

test(
  `behavior: with daemons killed in a series of auctions, live quotes stay within balance and allowance, ${rounds} rounds`,
  async () => {
    const daemons = started(await startDaemons())
    await fc.assert(
      fc.asyncProperty(killRound, (round) => playKillRound(daemons, round)),
      { seed, numRuns: rounds, endOnFailure: true },
    )
    expect(daemons.shown.size).toBeGreaterThan(4 * rounds)
  },
  60_000 + 30_000 * rounds,
)

/** A round's auctions and the daemons' kill times. Notionals are in thousands, and times in milliseconds. */
type KillRound = {
  rfqs: readonly { notional: number; delayMs: number }[]
  kills: readonly { victim: 0 | 2; delayMs: number }[]
}

/** Generates rounds whose auctions together exceed the first and third makers' allowances. */
const killRound: fc.Arbitrary<KillRound> = fc.record({
  rfqs: fc.array(fc.record({ notional: fc.integer({ min: 50, max: 200 }), delayMs: fc.nat(150) }), {
    minLength: 16,
    maxLength: 24,
  }),
  kills: fc.array(fc.record({ victim: fc.constantFrom(0 as const, 2 as const), delayMs: fc.nat(150) }), {
    minLength: 2,
    maxLength: 2,
  }),
})

/** Runs concurrent auctions, kills daemons during them, and checks all live quotes against balances and allowances. */
async function playKillRound(daemons: Daemons, { rfqs, kills }: KillRound): Promise<void> {
  const before = daemons.shown.size
  await raiseAllowances(daemons)
  const auctions = rfqs.map(async ({ notional, delayMs }, turn) => {
    await sleep(100 * turn + delayMs)
    return daemons.ask(BigInt(notional) * 1_000n * usd)
  })
  for (const { victim, delayMs } of kills) {
    await sleep(300 + delayMs)
    await daemons.killAndRestart(daemons.backers[victim])
    await daemons.expectHonoured()
  }
  await Promise.all(auctions)
  await daemons.expectBooksHonoured()
  expect(daemons.shown.size - before).toBeGreaterThan(4)
}

/**
 * Sets the first maker's allowance to 600,000 above the sum of its live quotes, the third maker's to 700,000 above, and
 * the second maker's to exactly the sum.
 */
async function raiseAllowances({ stack, backers: [first, second, third], shown }: Daemons): Promise<void> {
  const promised = ({ account }: typeof first) =>
    [...shown.values()]
      .filter(({ maker }) => maker === account.address)
      .reduce((sum, { notional }) => sum + notional, 0n)
  await approve(stack, first.account, promised(first) + 600_000n * usd)
  await approve(stack, second.account, promised(second))
  await approve(stack, third.account, promised(third) + 700_000n * usd)
}

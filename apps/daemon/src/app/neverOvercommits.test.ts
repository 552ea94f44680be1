import { playUntilMet } from '@firmquote/test-support/coverage'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startDaemonHarness } from '../../test/daemonHarness.ts'
import { isLive } from '../domain/exposure.ts'
import { type Pricer, priceRfq } from '../domain/priceRfq.ts'

const usd = 10n ** 6n
const tokens = (most: number) => fc.integer({ min: 100, max: most }).map((amount) => BigInt(amount) * usd)
const verdict = fc.constantFrom('accepted' as const, 'NONCE_MISMATCH' as const, 'lost' as const, 'not sent' as const)

/** Several simultaneous RFQs. Unless `settles` is true, the next event occurs while the RFQs are being answered. */
const rfqs = fc.record({
  type: fc.constant('rfqs' as const),
  notionals: fc.array(tokens(1_500), { minLength: 1, maxLength: 5 }),
  viewTurns: fc.nat({ max: 5 }),
  failsToSign: fc.nat({ max: 4 }).map((n) => n === 0),
  settles: fc.boolean(),
})
const event = fc.oneof(
  { weight: 8, arbitrary: rfqs },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('fill' as const, 'cancel' as const), pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('time' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('verdicts' as const), verdict }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('kill' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('raise' as const, 'pauseResume' as const) }) },
)

/** Minimum occurrences across all runs. Without them, a daemon that never quotes would also pass. */
const least = { reserved: 100, released: 12, submitted: 70, refused: 200, fill: 3, cancel: 3, kill: 50, raise: 12 }

async function settle(): Promise<void> {
  for (let turns = 0; turns < 60; turns++) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits for one turn of the event loop, so that several answers use the same view of the funds. */
const slowPricer: Pricer = async (input) => {
  await new Promise((resolve) => setImmediate(resolve))
  return priceRfq(input)
}

test('behavior: for random events, live quotes stay within the smaller of balance and allowance', async () => {
  await playUntilMet(least, (seed, met) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 10, maxLength: 30, size: 'max' }),
        tokens(12_000),
        tokens(12_000),
        async (events, balance, allowance) => {
          const parts = await startDaemonHarness({ pricer: slowPricer })
          const { world, clock } = parts
          world.funds = { ...world.funds, balance, allowance }
          /** Returns the quotes that can be taken now. Checks that every quote the service received is in the store. */
          const live = async () => {
            for (const { hash } of world.submitted) expect(await parts.store.find(hash)).not.toBeNull()
            return (await parts.store.listUnended()).filter((one) => isLive(one, world.funds))
          }
          for (const step of events) {
            if (step.type === 'rfqs') {
              world.viewTurns = step.viewTurns
              world.failsToSign = step.failsToSign
              for (const notional of step.notionals) parts.ask({ notional })
              if (step.settles) await settle()
            } else if (step.type === 'time') {
              world.funds = { ...world.funds, timestamp: world.funds.timestamp + BigInt(step.seconds) }
              clock.advance(step.seconds * 1_000)
            } else if (step.type === 'verdicts') {
              world.verdict = step.verdict
            } else if (step.type === 'kill') {
              met('kill')
              await parts.restart()
            } else if (step.type === 'raise') {
              met('raise')
              await parts.control.raiseNonce()
            } else if (step.type === 'pauseResume') {
              await parts.control.pause()
              await settle()
              await parts.control.resume()
            } else if ('pick' in step) {
              const takeable = await live()
              const chosen = takeable[step.pick % Math.max(1, takeable.length)]
              if (!chosen) continue
              met(step.type)
              const { funds } = world
              const spent = step.type === 'fill' ? chosen.quote.notional : 0n
              world.funds = {
                ...funds,
                ended: new Set([...funds.ended, chosen.hash]),
                balance: funds.balance - spent,
                allowance: funds.allowance - spent,
              }
            }
            const total = (await live()).reduce((sum, { quote }) => sum + quote.notional, 0n)
            expect(total).toBeLessThanOrEqual(world.funds.balance)
            expect(total).toBeLessThanOrEqual(world.funds.allowance)
          }
          await settle()
          met('reserved', world.reserved)
          met('released', world.released)
          met('submitted', world.submitted.length)
          met('refused', world.declined.filter(({ reason }) => reason === 'NOT_AFFORDABLE').length)
          await parts.end()
        },
      ),
      { seed, numRuns: 45 },
    ),
  )
}, 120_000)

import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isLive } from '../domain/exposure.ts'
import { startInParts } from '../testing/daemonInParts.ts'

const usd = 10n ** 6n
const tokens = (most: number) => fc.integer({ min: 100, max: most }).map((amount) => BigInt(amount) * usd)
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('rfqs' as const),
      notionals: fc.array(tokens(1_500), { minLength: 1, maxLength: 5 }),
      settles: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('fill' as const, 'cancel' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time' as const), seconds: fc.integer({ min: 1, max: 90 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('verdicts' as const),
      verdict: fc.constantFrom('accepted' as const, 'NONCE_MISMATCH' as const, 'lost' as const, 'not sent' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom('kill' as const, 'raise' as const, 'pause' as const, 'resume' as const),
    }),
  },
)

async function settle(): Promise<void> {
  for (let turns = 0; turns < 30; turns++) await new Promise((resolve) => setImmediate(resolve))
}

test('behavior: whatever comes, what can be taken stays within the smaller of balance and allowance', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 5, maxLength: 25 }),
      tokens(4_000),
      tokens(4_000),
      async (events, balance, allowance) => {
        const parts = await startInParts()
        const { world, clock } = parts
        world.funds = { ...world.funds, balance, allowance }
        /** What can be taken now. Whatever the service has seen must be among what the daemon has kept. */
        const live = async () => {
          for (const { hash } of world.submitted) expect(await parts.store.find(hash)).not.toBeNull()
          return (await parts.store.readUnended()).filter((one) => isLive(one, world.funds))
        }
        for (const step of events) {
          if (step.type === 'rfqs') {
            for (const notional of step.notionals) parts.ask({ notional })
            // Otherwise what comes next comes in the middle of the answers.
            if (step.settles) await settle()
          } else if (step.type === 'time') {
            world.funds = { ...world.funds, timestamp: world.funds.timestamp + BigInt(step.seconds) }
            clock.advance(step.seconds * 1_000)
          } else if (step.type === 'verdicts') world.verdict = step.verdict
          else if (step.type === 'kill') await parts.restart()
          else if (step.type === 'raise') await parts.control.raiseNonce()
          else if (step.type === 'pause') await parts.control.pause()
          else if (step.type === 'resume') await parts.control.resume()
          else if ('pick' in step) {
            const takeable = await live()
            const chosen = takeable[step.pick % Math.max(1, takeable.length)]
            if (!chosen) continue
            const { notional } = chosen.quote
            const { ended, balance: before, allowance: allowed } = world.funds
            const spent = step.type === 'fill' ? notional : 0n
            expect([before >= spent, allowed >= spent]).toEqual([true, true])
            world.funds = {
              ...world.funds,
              ended: new Set([...ended, chosen.hash]),
              balance: before - spent,
              allowance: allowed - spent,
            }
          }
          const total = (await live()).reduce((sum, { quote }) => sum + quote.notional, 0n)
          expect(total).toBeLessThanOrEqual(world.funds.balance)
          expect(total).toBeLessThanOrEqual(world.funds.allowance)
        }
        await settle()
        await parts.end()
      },
    ),
    { seed, numRuns: 40 },
  )
}, 60_000)

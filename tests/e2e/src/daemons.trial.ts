import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { killRound, playKillRound } from './killRound.ts'
import { type Daemons, startDaemons } from './startDaemons.ts'

let daemons: Daemons | undefined
afterEach(() => daemons?.stop(), 30_000)

test(
  `behavior: daemons killed at random moments of random auctions, ${rounds} rounds`,
  async () => {
    const started = await startDaemons()
    daemons = started
    await fc.assert(
      fc.asyncProperty(killRound, (round) => playKillRound(started, round)),
      { seed, numRuns: rounds, endOnFailure: true },
    )
    expect(started.shown.size).toBeGreaterThan(4 * rounds)
  },
  60_000 + 30_000 * rounds,
)

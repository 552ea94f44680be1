import { afterEach, expect, test } from '@jest/globals'
import { type HostileStand, startHostileStand } from './hostileStand.testing.ts'
import { attackSeats, printSeats } from './seatsAttack.testing.ts'

// The attacker spends 1,000 connections without a key, 1,000 with throwaway keys, and 100 tUSD that go from key to key.

let stand: HostileStand | undefined
afterEach(() => stand?.stop(), 60_000)

test.each([1, 10])(
  'behavior: a maker with means is in within 2 s by default settings, from %i networks',
  async (networks) => {
    stand = await startHostileStand()
    const attack = { silent: 1_000, keyed: 1_000, networks, passes: 50 }
    const figures = await attackSeats(stand, attack)
    printSeats(attack, figures)
    expect(figures.entries.map((ms) => ms !== null && ms < 2_000)).toEqual([true, true, true])
    expect(figures.stayed).toBe(true)
  },
  300_000,
)

import { afterEach, expect, test } from '@jest/globals'
import { type HostileStand, printHonest, startHostileStand } from './hostileStand.testing.ts'
import { attackSeats, printSeats } from './seatsAttack.testing.ts'

// By default settings the server has 1,000 seats, and a network 128 connections: one network cannot fill the seats, eight can. The
// attacker spends 1,000 places without a key and 1,100 with throwaway keys, and 100 tUSD that go from key to key.

let stand: HostileStand | undefined
afterEach(() => stand?.stop(), 60_000)

test.each([
  { networks: 1, seated: 100 },
  { networks: 10, seated: 1_000 },
])(
  'behavior: a maker with means is in within 2 s, stays, and makers go on quoting, from $networks networks',
  async ({ networks, seated }) => {
    const attacked = await startHostileStand()
    stand = attacked
    const attack = { silent: 1_000, keyed: 1_100, networks, seated, againMs: 2_000 }
    const figures = await attackSeats(attacked, attack, async () => {
      const honest = await attacked.startHonest()
      await honest.quoted(1)
      const { auctions, ...rest } = await honest.finish()
      printHonest(`seats from ${networks} networks`, { auctions, ...rest })
      expect(auctions.map(({ quotes, error }) => ({ quotes, error }))).toEqual(
        auctions.map(() => ({ quotes: 1, error: null })),
      )
      expect(auctions.length).toBeGreaterThan(0)
    })
    printSeats(attack, figures)
    expect(figures.seated).toBeGreaterThanOrEqual(seated)
    expect(figures.passes).toBeGreaterThan(20)
    expect(figures.entries.map((ms) => ms !== null && ms < 2_000)).toEqual([true, true, true])
    expect(figures.stayed).toBe(true)
  },
  180_000,
)

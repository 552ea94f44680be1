import { afterEach, expect, test } from '@jest/globals'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin, startAdversarialFixture } from './adversarialFixture.ts'
import { attackSeats, printSeats, seatsOfServer } from './seatsAttack.ts'

// The attack requires 120 connections without a key, 60 with throwaway keys, and 100 tUSD that move from key to key.
// This server has 20 seats.

const seats = 20

const started = stopAfter(afterEach)

test.each([1, 10])(
  'behavior: a funded maker gets a seat within 2 s while others fill the seats, from %i networks',
  async (networks) => {
    const fixture = started(await startAdversarialFixture({ MAX_SOCKETS: String(seatsOfServer(seats)) }))
    const attack = { silent: 120, keyed: 60, networks, seated: seats, againMs: 200 }
    const figures = await attackSeats(fixture, attack, async (passes) => {
      await holdsWithin(30_000, () => passes() > seats)
    })
    printSeats(attack, figures)
    // The test is valid only if the seats were full and the tokens passed through more keys than there are seats.
    expect(figures.seated).toBeGreaterThanOrEqual(seats)
    expect(figures.passes).toBeGreaterThan(seats)
    expect(figures.entries.map((ms) => ms !== null && ms < 2_000)).toEqual([true, true, true])
    expect(figures.stayed).toBe(true)
  },
  60_000,
)

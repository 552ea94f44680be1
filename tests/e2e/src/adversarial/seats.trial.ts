// Throwaway keys take the seats of makers. By its default settings a server has 1,000 seats, and a network 128 connections, so that
// one network cannot fill the seats and eight can. The attacker spends 1,000 places without a key, 1,100 with throwaway keys, each
// tried again every 2 seconds, and 100 tUSD that go from key to key. That is with `--rounds 10`; with fewer rounds everything is
// smaller in proportion, the seats as well, and the attack comes from ten networks alone.

import { rounds } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { stopAfter } from '../stopAfter.ts'
import { expectHonestServed, type HonestFigures, printHonest, startHostileFixture } from './adversarialFixture.ts'
import { attackSeats, printSeats, seatsOfServer } from './seatsAttack.ts'

const isFull = rounds >= 10
const share = isFull ? 1 : rounds / 10
const seats = 1_000 * share

const started = stopAfter(afterEach)

test.each(isFull ? [1, 10] : [10])(
  'behavior: a maker with means is in within 2 s, stays, and makers go on quoting, from %i networks',
  async (networks) => {
    const fixture = started(await startHostileFixture({ MAX_SOCKETS: String(seatsOfServer(seats)) }))
    // One network has 128 connections, of which some are being closed.
    const seated = networks === 1 ? 100 : seats
    const attack = { silent: 1_000 * share, keyed: 1_100 * share, networks, seated, againMs: 2_000 }
    let honest: HonestFigures | undefined
    const figures = await attackSeats(fixture, attack, async () => {
      const users = await fixture.startHonest()
      await users.quoted(1)
      honest = await users.finish()
    })
    printSeats(attack, figures)
    if (!honest) throw new TypeError('The honest users have not finished.')
    printHonest(`seats from ${networks} networks`, honest)

    expect(figures.seated).toBeGreaterThanOrEqual(seated)
    expect(figures.passes).toBeGreaterThan(20)
    // In CI other work may hold up the machine; at full size it is the bound itself.
    const limit = 2_000 + (isFull ? 0 : honest.slowestBareMs)
    expect(figures.entries.map((ms) => ms !== null && ms < limit)).toEqual([true, true, true])
    expect(figures.stayed).toBe(true)
    expectHonestServed(honest)
  },
  180_000,
)

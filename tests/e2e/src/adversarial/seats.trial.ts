// Throwaway keys occupy the makers' seats. By default, a server has 1,000 seats, and a network is limited to 128
// connections, so eight networks can fill the seats but one cannot. The attack requires 1,000 connections without a
// key, 1,100 connections with throwaway keys, each retried every 2 seconds, and 100 tUSD that move from key to key.
// These numbers apply to `--rounds 10`. With fewer rounds, the attack and the number of seats are scaled down, and only
// ten networks are used.

import { rounds } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { stopAfter } from '../stopAfter.ts'
import { expectHonestServed, type HonestFigures, printHonest, startAdversarialFixture } from './adversarialFixture.ts'
import { attackSeats, printSeats, seatsOfServer } from './seatsAttack.ts'

const isFull = rounds >= 10
const share = isFull ? 1 : rounds / 10
const seats = 1_000 * share

const started = stopAfter(afterEach)

test.each(isFull ? [1, 10] : [10])(
  'behavior: a funded maker gets and keeps a seat within 2 s, and makers keep quoting, from %i networks',
  async (networks) => {
    const fixture = started(await startAdversarialFixture({ MAX_SOCKETS: String(seatsOfServer(seats)) }))
    // One network is limited to 128 connections, some of which are closing.
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
    // In CI, other work may slow down the machine. In a full-size run, the limit applies without this allowance.
    const limit = 2_000 + (isFull ? 0 : honest.slowestBareMs)
    expect(figures.entries.map((ms) => ms !== null && ms < limit)).toEqual([true, true, true])
    expect(figures.stayed).toBe(true)
    expectHonestServed(honest)
  },
  180_000,
)

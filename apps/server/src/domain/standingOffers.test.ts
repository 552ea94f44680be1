import { expect, test } from '@jest/globals'
import type { Address } from 'viem'
import type { Offer } from './openNotional.ts'
import { advanceStanding, type StandingOffers } from './standingOffers.ts'

const [one, two] = ['0x000000000000000000000000000000000000000A', '0x000000000000000000000000000000000000000b'] as const
const offer = (vrtAmount: bigint, maker: Address = one): Offer => ({ maker, notional: 100n, vrtAmount, funds: 100n })

/** The standing prices after each read. */
function play(reads: [block: bigint, ...offers: Offer[]][]): bigint[][] {
  let known: StandingOffers = new Map()
  return reads.map(([block, ...offers]) => {
    const { standing, stood } = advanceStanding(known, { offers, block })
    known = standing
    return stood.map(({ vrtAmount }) => vrtAmount)
  })
}

test('default: an offer stands after 30 blocks, and again after 30 more', () => {
  expect(
    play([
      [10n, offer(5n)],
      [39n, offer(5n)],
      [40n, offer(5n)],
      [69n, offer(5n)],
      [70n, offer(5n)],
    ]),
  ).toEqual([...[[], [], [5n], [], [5n]]])
})

test('behavior: an offer that is missing in one read starts again', () => {
  expect(play([[0n, offer(0n)], [10n], [20n, offer(0n)], [49n, offer(0n)], [50n, offer(0n)]])).toEqual([
    ...[[], [], [], [], [0n]],
  ])
})

test('behavior: a maker that replaces its quote stands with the worst price of every read', () => {
  expect(
    play([
      [0n, offer(0n)],
      [15n, offer(9n), offer(12n)],
      [30n, offer(3n)],
      [60n, offer(4n)],
    ]),
  ).toEqual([...[[], [], [9n], [4n]]])
})

test('behavior: several makers, best price first, whatever the case of an address', () => {
  const lower = one.toLowerCase() as Address
  expect(
    play([
      [0n, offer(7n), offer(6n, two)],
      [30n, offer(6n, two), offer(7n, lower)],
    ]),
  ).toEqual([[], [6n, 7n]])
})

test('behavior: a block below the first one starts again', () => {
  expect(
    play([
      [100n, offer(5n)],
      [40n, offer(5n)],
      [69n, offer(5n)],
      [70n, offer(5n)],
    ]),
  ).toEqual([[], [], [], [5n]])
})

import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, numberToHex } from 'viem'
import type { Standing } from '../../domain/seats.ts'
import { createSeats, type Seats } from './seats.ts'

let clock: FakeClock
let seats: Seats
let log: string[]
let readings: number
/** The makers' funds in one token. */
let means: Record<number, bigint>
let readStanding: () => Promise<Standing>

const maker = (number: number): Address => numberToHex(number, { size: 20 })

beforeEach(() => {
  clock = createFakeClock()
  log = []
  readings = 0
  means = {}
  readStanding = async () => ({
    funds: new Map([['token', new Map(Object.entries(means).map(([number, own]) => [maker(Number(number)), own]))]]),
    filled: new Set(),
  })
  seats = createSeats({
    seats: 2,
    waiting: 3,
    clock,
    readStanding: () => {
      readings += 1
      return readStanding()
    },
    onEvicted: () => log.push('given back'),
    onFailure: () => log.push('failure'),
  })
})

const claim = (number: number, network = 'a') =>
  seats.claim({ maker: maker(number), networks: [network], evict: () => log.push(`${number} gives way`) }, () =>
    log.push(`${number} sits`),
  )

async function decide(): Promise<void> {
  clock.advance(1_000)
  await new Promise(setImmediate)
}

describe('createSeats', () => {
  test('default: free seats are assigned immediately, without a read', () => {
    claim(1)
    const second = claim(2)
    second.release()
    claim(3)
    expect(log).toEqual(['1 sits', '2 sits', '3 sits'])
    expect([seats.count(), readings]).toEqual([2, 0])
  })

  test('behavior: when all seats are in use, the maker with the most funds evicts the one with the least', async () => {
    means = { 1: 5n, 3: 6n }
    for (const number of [1, 2, 3]) claim(number)
    await decide()
    expect(log.slice(2)).toEqual(['given back', '2 gives way', '3 sits'])
    claim(4)
    await decide()
    expect(log.slice(5)).toEqual(['4 gives way'])
    expect(seats.count()).toBe(2)
  })

  test('behavior: all claims within a second of a decision share the next one', async () => {
    means = { 5: 1n }
    const reading = readStanding
    let answer = () => {}
    readStanding = () => new Promise((resolve) => (answer = () => resolve(reading())))
    for (const number of [1, 2, 3, 4]) claim(number)
    clock.advance(0)
    for (const number of [5, 6]) claim(number)
    clock.advance(999)
    answer()
    await new Promise(setImmediate)
    expect([readings, log.length]).toEqual([1, 4])
    // The interval starts when a read starts, however long the read takes.
    readStanding = reading
    clock.advance(1)
    await new Promise(setImmediate)
    expect(readings).toBe(2)
    expect(log).toContain('5 sits')
    expect(log).toContain('6 gives way')
  })

  test('behavior: waiting connections are bounded, and the network with the most loses one', () => {
    claim(1)
    claim(2)
    for (const [number, network] of [
      [3, 'a'],
      [4, 'b'],
      [5, 'a'],
      [6, 'a'],
    ] as const)
      claim(number, network)
    expect(log.slice(2)).toEqual(['3 gives way'])
  })

  test('behavior: a connection that closes during the read gets no seat', async () => {
    let answer = (_: Standing) => {}
    readStanding = () => new Promise((resolve) => (answer = resolve))
    claim(1)
    claim(2)
    const third = claim(3)
    await decide()
    third.release()
    answer({ funds: new Map([['token', new Map([[maker(3), 1n]])]]), filled: new Set() })
    await new Promise(setImmediate)
    expect(log).toEqual(['1 sits', '2 sits'])
  })

  const failing = () => Promise.reject(new TypeError('no chain'))

  test('error: a waiting connection is kept during two failed reads, and seated by the third', async () => {
    const reading = readStanding
    readStanding = failing
    means = { 3: 1n }
    for (const number of [1, 2, 3]) claim(number)
    await decide()
    await decide()
    expect(log.slice(2)).toEqual(['failure', 'failure'])
    readStanding = reading
    await decide()
    expect(log.slice(4)).toEqual(['given back', '2 gives way', '3 sits'])
    expect(readings).toBe(3)
  })

  test('error: after three failed reads waiting connections are closed, and no seat changes', async () => {
    readStanding = failing
    for (const number of [1, 2, 3]) claim(number)
    await decide()
    await decide()
    await decide()
    expect(log.slice(2)).toEqual(['failure', 'failure', 'failure', '3 gives way'])
    expect(seats.count()).toBe(2)
    // No connection is waiting, so no funds are read.
    await decide()
    expect(readings).toBe(3)
  })

  test('error: only failures in a row count, and only those that a connection has waited for', async () => {
    const reading = readStanding
    for (const number of [1, 2, 3]) claim(number)
    readStanding = failing
    await decide()
    await decide()
    readStanding = reading
    await decide()
    expect(log.slice(4)).toEqual(['3 gives way'])
    readStanding = failing
    claim(4)
    await decide()
    await decide()
    claim(5)
    expect(log.slice(5)).toEqual(['failure', 'failure'])
    await decide()
    expect(log.slice(7)).toEqual(['failure', '4 gives way'])
    await decide()
    await decide()
    expect(log.slice(9)).toEqual(['failure', 'failure', '5 gives way'])
  })

  test('error: a connection that closed during failed reads is not evicted', async () => {
    readStanding = failing
    claim(1)
    claim(2)
    const third = claim(3)
    await decide()
    await decide()
    third.release()
    await decide()
    expect(log.slice(2)).toEqual(['failure', 'failure', 'failure'])
  })
})

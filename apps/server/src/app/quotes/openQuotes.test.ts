import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { createOpenQuotes, type OpenQuotes } from './openQuotes.ts'

const maker: Address = `0x${'aB'.repeat(20)}`
let stored: number
let reads: number
let now: number
let fails: boolean
let openQuotes: OpenQuotes
beforeEach(() => {
  stored = 3
  reads = 0
  now = 0
  fails = false
  const countQuotes = async () => {
    reads += 1
    if (fails) throw new TypeError('no database')
    return stored
  }
  openQuotes = createOpenQuotes({ countQuotes }, { monotonic: () => now })
})

describe('estimate', () => {
  test('default: one query, plus the quotes added since', async () => {
    expect(await openQuotes.estimate(maker, 1n)).toBe(3)
    stored = 4
    openQuotes.added(maker.toLowerCase() as Address)
    expect(await openQuotes.estimate(maker, 1n)).toBe(4)
    expect(reads).toBe(1)
  })

  test('behavior: a quote that is added during the query is included', async () => {
    const counting = openQuotes.estimate(maker, 1n)
    openQuotes.added(maker)
    expect(await counting).toBe(4)
  })

  test('behavior: after a second it queries again; an exact count is reused too', async () => {
    await openQuotes.estimate(maker, 1n)
    now = 1_000
    stored = 5
    expect(await openQuotes.estimate(maker, 1n)).toBe(5)
    stored = 2
    expect(await openQuotes.count(maker, 1n)).toBe(2)
    expect(await openQuotes.estimate(maker, 1n)).toBe(2)
  })

  test('behavior: the count that the store returned with a refusal is used for a second', async () => {
    await openQuotes.estimate(maker, 1n)
    now = 999
    openQuotes.refused(maker.toLowerCase() as Address, 7)
    now = 1_998
    expect(await openQuotes.estimate(maker, 1n)).toBe(7)
    expect(reads).toBe(1)
    now = 1_999
    expect(await openQuotes.estimate(maker, 1n)).toBe(3)
  })

  test('error: a failed query is not reused', async () => {
    fails = true
    await expect(openQuotes.estimate(maker, 1n)).rejects.toThrow('no database')
    fails = false
    expect(await openQuotes.estimate(maker, 1n)).toBe(3)
  })
})

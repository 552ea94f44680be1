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

describe('atMost', () => {
  test('default: one query, and what was added since', async () => {
    expect(await openQuotes.atMost(maker, 1n)).toBe(3)
    stored = 4
    openQuotes.added(maker.toLowerCase() as Address)
    expect(await openQuotes.atMost(maker, 1n)).toBe(4)
    expect(reads).toBe(1)
  })

  test('behavior: a quote that is added during the query is included', async () => {
    const counting = openQuotes.atMost(maker, 1n)
    openQuotes.added(maker)
    expect(await counting).toBe(4)
  })

  test('behavior: after a second it queries again; an exact count is reused too', async () => {
    await openQuotes.atMost(maker, 1n)
    now = 1_000
    stored = 5
    expect(await openQuotes.atMost(maker, 1n)).toBe(5)
    stored = 2
    expect(await openQuotes.count(maker, 1n)).toBe(2)
    expect(await openQuotes.atMost(maker, 1n)).toBe(2)
  })

  test('error: a failed query is not reused', async () => {
    fails = true
    await expect(openQuotes.atMost(maker, 1n)).rejects.toThrow('no database')
    fails = false
    expect(await openQuotes.atMost(maker, 1n)).toBe(3)
  })
})

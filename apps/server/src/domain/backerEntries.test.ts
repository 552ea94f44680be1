import { describe, expect, test } from '@jest/globals'
import { type Address, numberToHex } from 'viem'
import { rfq, submitted } from '../../test/auctionEvents.ts'
import { type BackerEntry, entryOf, noEntries, type PendingQuote, pendingQuotes, withEntry } from './backerEntries.ts'
import { candidateOf } from './judgeSubmission.ts'

const empty: BackerEntry = { attempts: 0, pending: null, accepted: null, missed: null }
const addressOf = (n: number): Address => numberToHex(n, { size: 20 })

function pendingOf(id: number): PendingQuote {
  const { hash, quote, arrival } = submitted(id, addressOf(id))
  return { id, candidate: candidateOf(rfq, quote, hash, arrival), waiting: [id], stage: 'judging' }
}

describe('backer entries', () => {
  test('default', () => {
    expect(entryOf(noEntries, addressOf(1))).toEqual(empty)
    const entries = withEntry(noEntries, addressOf(1), { ...empty, attempts: 2 })
    expect(entryOf(entries, addressOf(1))).toEqual({ ...empty, attempts: 2 })
    expect(entryOf(entries, addressOf(2))).toEqual(empty)
    expect(entryOf(noEntries, addressOf(1))).toEqual(empty)
  })

  test('behavior: a change does not modify the old map or any other entry', () => {
    // Many entries share a bucket.
    const many = Array.from({ length: 1_000 }, (_, n) => addressOf(n * 7919))
    let entries = noEntries
    many.forEach((backer, attempts) => {
      const before = entries
      entries = withEntry(before, backer, { ...empty, attempts })
      expect(entryOf(before, backer)).toEqual(empty)
    })
    expect(many.every((backer, attempts) => entryOf(entries, backer).attempts === attempts)).toBe(true)
    expect(entryOf(noEntries, addressOf(0))).toEqual(empty)
  })

  test('behavior: backers are spread over the buckets, and a change copies one of them', () => {
    let entries = noEntries
    for (let n = 0; n < 256; n += 1) entries = withEntry(entries, addressOf(n), empty)
    expect(entries).toHaveLength(256)
    expect(entries.map((bucket) => bucket?.size)).toEqual(Array.from({ length: 256 }, () => 1))
    const changed = withEntry(entries, addressOf(7), { ...empty, attempts: 1 })
    expect(changed.filter((bucket, index) => bucket !== entries[index])).toHaveLength(1)
    // Even a string that is not an address can have an entry.
    expect(entryOf(withEntry(noEntries, 'zz', { ...empty, attempts: 1 }), 'zz').attempts).toBe(1)
  })

  test('behavior: the case of an address does not matter', () => {
    const lower = '0xabcdef00000000000000000000000000000000ab'
    const upper = '0xABCDEF00000000000000000000000000000000AB'
    const entries = withEntry(withEntry(noEntries, lower, { ...empty, attempts: 1 }), upper, { ...empty, attempts: 2 })
    expect([entryOf(entries, lower).attempts, entryOf(entries, upper).attempts]).toEqual([2, 2])
  })

  test('behavior: the quotes without a verdict are found, of every bucket and of several in one', () => {
    const ids = [1, 2, 0x101, 0x201]
    let entries = withEntry(noEntries, addressOf(3), { ...empty, accepted: { hash: '0x', receivedAt: 1 } })
    for (const id of ids) entries = withEntry(entries, addressOf(id), { ...empty, pending: pendingOf(id) })
    const found = pendingQuotes(entries)
    expect(found.map(({ pending }) => pending.id).sort((a, b) => a - b)).toEqual(ids)
    for (const { backer, pending } of found) expect(backer).toBe(addressOf(pending.id))
    expect(pendingQuotes(noEntries)).toEqual([])
  })
})

import { hashLeaf, rootOf } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { bytesToHex } from 'viem'
import { judgePromise, type PromiseFacts } from './judgePromise.ts'

const hashes = [0, 1, 2, 3].map((byte) => hashLeaf(Uint8Array.of(byte)))
const leafOf = (seq: number) => bytesToHex(hashes[seq] as Uint8Array)
const promise = { seq: 2, leaf: leafOf(2), mergeBy: 100 }
const close = { count: 4, root: bytesToHex(rootOf(hashes)) }
const closed: PromiseFacts = { entries: 'closed', close, hashes, cosignedAt: null }
const open: PromiseFacts = { entries: 'open', close: null, hashes: null, cosignedAt: 100 }

describe('judgePromise', () => {
  test.each<[string, Partial<typeof promise>, PromiseFacts, string]>([
    ['the leaf in its place', {}, closed, 'kept'],
    ['the leaf in another place', { seq: 1 }, closed, 'omitted'],
    ['a place after the end', { seq: 4 }, closed, 'omitted'],
    ['the leaf of the close', { seq: 3, leaf: leafOf(3) }, closed, 'omitted'],
    ['a list of another length', {}, { ...closed, hashes: hashes.slice(1) }, 'withheld'],
    ['a list with another root', {}, { ...closed, hashes: [...hashes].reverse() }, 'withheld'],
    ['no list', {}, { ...closed, hashes: null }, 'withheld'],
    ['no close at mergeBy', {}, open, 'unclosed'],
    ['no close before mergeBy', {}, { ...open, cosignedAt: 99 }, 'unseen'],
    ['no close, and no witness', {}, { ...open, cosignedAt: null }, 'unseen'],
    ['no opening', {}, { ...open, entries: 'none' }, 'unopened'],
    ['too many entries', {}, { ...open, entries: 'unknown' }, 'withheld'],
  ])('default: %s', (_, changes, facts, verdict) => {
    expect(judgePromise({ ...promise, ...changes }, facts)).toBe(verdict)
  })
})

import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import type { Statement } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { compareProof } from './compareProof.ts'

const [poolId, seriesKey] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`] as const
const hashes = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`] as const
const auction = {
  ...{ poolId, seriesKey, expiry: 1_910_000_000, notional: 2_000n, openedAt: 1_000, closesAt: 16_000 },
  quotes: hashes.map((hash) => ({ hash })) as CollectedQuote[],
} as RFQResult
const opened = {
  code: 'opened',
  publicRfqId: `0x${'ab'.repeat(16)}`,
  terms: { poolId, seriesKey, expiry: 1_910_000_000n, notional: 2_000n, openedAt: 1_000n, closesAt: 16_000n },
} as Extract<Statement, { code: 'opened' }>
const proofOf = (terms: object = {}, proved: readonly `0x${string}`[] = [...hashes].reverse()) =>
  [
    { ...opened, terms: { ...opened.terms, ...terms } },
    { code: 'quotes', hashes: proved },
  ] as Statement[]

describe('compareProof', () => {
  test('default: the same terms and quotes, in any order', () => {
    expect(compareProof(proofOf(), auction)).toBe('same')
  })

  test.each([
    { poolId: seriesKey },
    { seriesKey: poolId },
    { expiry: 1_910_000_001n },
    { notional: 2_001n },
    { openedAt: 1_001n },
    { closesAt: 16_001n },
  ])('error: other terms, %p', (terms) => {
    expect(compareProof(proofOf(terms), auction)).toBe('otherTerms')
  })

  test('error: a proof of something else', () => {
    expect(compareProof([], auction)).toBe('otherTerms')
  })

  test.each([[[]], [[hashes[0]]], [[hashes[0], poolId]], [[...hashes, poolId]]])(
    'error: other quotes, %j',
    (proved) => {
      expect(compareProof(proofOf({}, proved), auction)).toBe('otherQuotes')
    },
  )
})

import { type CollectedQuote, toRfqId } from '@firmquote/core'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { chooseBest, describeQuote, type LadderState, rankQuotes, renderLadder } from './ladder.ts'
import { colourStyle } from './style.ts'

const openedAt = 1_800_000_000_000
const bytes32 = (digit: string) => `0x${digit.repeat(64)}` as const

function collected(
  changes: {
    vrtAmount?: bigint
    notional?: bigint
    deadline?: bigint
    apr?: number
    effectiveApy?: number | null
  } = {},
): CollectedQuote {
  const { apr = 6.5, effectiveApy = 6.718, ...terms } = changes
  return {
    hash: bytes32('a'),
    apr,
    effectiveApy,
    receivedAt: openedAt,
    quote: exampleQuote({
      maker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      notional: 250_000_000_000n,
      vrtAmount: 5_000_000_000n,
      deadline: 1_800_000_600n,
      ...terms,
    }),
  }
}

const state = (changes: Partial<LadderState> = {}): LadderState => ({
  rfq: {
    rfqId: toRfqId('0'.repeat(32)),
    poolId: bytes32('2'),
    seriesKey: bytes32('3'),
    expiry: 1_803_859_200,
    notional: 250_000_000_000n,
    openedAt,
    closesAt: openedAt + 15_000,
    backers: 3,
  },
  token: { symbol: 'tUSD', decimals: 6 },
  quotes: [],
  now: openedAt + 2_700,
  rejectedCount: null,
  ...changes,
})

describe('renderLadder', () => {
  test('default', () => {
    const quotes = [
      collected({ vrtAmount: 6_000_000_000n, apr: 7.8, effectiveApy: null }),
      collected({ deadline: 1_800_000_032n }),
    ]
    expect(renderLadder(state({ quotes }), 100).split('\n')).toEqual([
      '250,000 tUSD of pool 0x2222…2222 until 2027-03-01 00:00 UTC, 3 backers asked',
      'closes in 12.3 s: 2 quotes',
      '#    APR  EFF. APY        COST          SIZE  MAKER        TIME LEFT',
      '1  6.50%     6.72%  5,000 tUSD  250,000 tUSD  0x7099…79C8        30s',
      '2  7.80%         -  6,000 tUSD  250,000 tUSD  0x7099…79C8     9m 58s',
    ])
  })

  test('behavior: before the first quote, after the close, and never a negative countdown', () => {
    const second = (changes: Partial<LadderState>) => renderLadder(state(changes), 100).split('\n')[1]
    expect(second({})).toBe('closes in 12.3 s: no quotes yet')
    const progress = { answered: 2, expected: 3, backers: 8 }
    expect(second({ progress })).toBe('closes in 12.3 s: no quotes yet, 2 of 3 have answered')
    expect(second({ progress: { ...progress, answered: 3 } })).toBe(
      'closes in 12.3 s: no quotes yet, all 3 have answered',
    )
    expect(second({ now: openedAt + 99_000 })).toBe('closes in 0.0 s: no quotes yet')
    expect(second({ rejectedCount: 0 })).toBe('closed: no quotes')
    expect(second({ rejectedCount: 2, quotes: [collected()] })).toBe('closed: 1 quote, 2 refused')
    expect(second({ rejectedCount: 0, interrupted: false })).toBe('closed: no quotes')
    expect(second({ rejectedCount: 1, interrupted: true, quotes: [collected()] })).toBe(
      'closed late, because the service was down: 1 quote, 1 refused',
    )
  })

  test('behavior: no line is wider than the terminal, whatever the service sends', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.array(
          fc.record({
            vrtAmount: fc.bigInt(0n, 2n ** 256n - 1n),
            deadline: fc.bigInt(0n, 2n ** 256n - 1n),
            apr: fc.double(),
            effectiveApy: fc.option(fc.double()),
          }),
        ),
        (width, symbol, terms) => {
          const text = renderLadder(state({ quotes: terms.map(collected), token: { symbol, decimals: 6 } }), width)
          const lines = text.split('\n')
          expect(lines).toHaveLength(2 + (terms.length > 0 ? 1 + terms.length : 0))
          for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width)
          expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
        },
      ),
    )
  })

  test('behavior: highlights the best quote if colours are on', () => {
    const lines = renderLadder(
      state({ quotes: [collected(), collected({ vrtAmount: 6_000_000_000n })] }),
      100,
      colourStyle,
    ).split('\n')
    expect(lines.map((line) => line.startsWith('\u001b[32m'))).toEqual([false, false, false, true, false])
  })
})

describe('rankQuotes and chooseBest', () => {
  test('default: the lowest rate, then the larger, then the earlier', () => {
    const [dear, half, first, second] = [
      collected({ vrtAmount: 6_000_000_000n }),
      collected({ notional: 125_000_000_000n, vrtAmount: 2_500_000_000n }),
      collected(),
      collected(),
    ]
    expect(rankQuotes([dear, half, first, second])).toEqual([first, second, half, dear])
    expect(rankQuotes([half, second, first])[0]).toBe(second)
  })

  test('behavior: a better rate for a smaller amount does not hide the full quote', () => {
    const tiny = { ...collected({ notional: 1n, vrtAmount: 0n }), hash: `0x${'b'.repeat(64)}` as const }
    const full = collected()
    expect(chooseBest([tiny, full], { notional: 250_000_000_000n })).toEqual([full])
    expect(chooseBest([tiny], { notional: 250_000_000_000n })).toEqual([tiny])
    expect(chooseBest([full], { notional: 250_000_000_000n, maxVrtAmount: 4_999_999_999n })).toEqual([])
  })
})

test('default: describeQuote', () => {
  const terms = 'costs 5,000 tUSD for 250,000 tUSD, by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, time left 10m'
  const described = (quote: CollectedQuote) => describeQuote(quote, { symbol: 'tUSD', decimals: 6 }, openedAt)
  expect(described(collected())).toBe(`6.50% APR (6.72% effective APY), ${terms}`)
  expect(described(collected({ effectiveApy: null }))).toBe(`6.50% APR, ${terms}`)
})

import { expect, test } from '@jest/globals'
import { examplePool, examplePosition, exampleSettlement, hex, maker } from '../../../test/fixing/exampleMarket.ts'
import { enPositions } from '../../copy/enPositions.ts'
import { cellOf, csvName, positionsCsv } from './positionsCsv.ts'

const { records: words } = enPositions
const noFacts = { times: new Map(), openedBy: new Map() }
const linesOf = (text: string) => text.split('\r\n').map((line) => line.split(','))

test('default: one row per side, with exact amounts, times, transactions and addresses', () => {
  const settled = examplePosition({ notional: 50_000_000_001n, cost: 500_000_001n, settlement: exampleSettlement(12n) })
  const facts = {
    times: new Map([
      [7n, 1_800_000_000],
      [9n, 1_800_000_061],
    ]),
    openedBy: new Map([[1n, hex('77')]]),
  }
  const text = positionsCsv([settled, examplePosition({ positionId: 2n, role: 'maker' })], {
    ...{ pools: [examplePool()], words, facts },
  })
  const [head, first, second, last] = linesOf(text)
  const row = Object.fromEntries(Object.keys(words.columns).map((key, index) => [key, first?.[index]]))
  expect(head).toEqual(Object.values(words.columns))
  expect(row).toMatchObject({
    ...{ position: '1', role: 'borrower', symbol: 'tUSD', token: maker, maker, pool: hex('aa') },
    ...{ notional: '50000.000001', cost: '500.000001', toBorrower: '0.000012', toMaker: '1.029988' },
    ...{ openedAt: '2027-01-15T08:00:00.000Z', openedBlock: '7', openedBy: hex('77') },
    ...{ settledAt: '2027-01-15T08:01:01.000Z', settledBlock: '9', settledBy: hex('51') },
  })
  expect([second?.[0], second?.[1], second?.length]).toEqual(['2', 'maker', head?.length])
  expect(last).toEqual([''])
})

test('behavior: an open position has no settlement, and an unknown token has raw units', () => {
  const [, row] = linesOf(positionsCsv([examplePosition()], { pools: [], facts: noFacts, words }))
  const cell = (key: string) => row?.[Object.keys(words.columns).indexOf(key)]
  expect(['settledAt', 'settledBy', 'toBorrower', 'openedBy', 'symbol'].map(cell)).toEqual(['', '', '', '', ''])
  expect([cell('notional'), cell('token')]).toEqual(['1000000', maker])
})

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "it"', '"say ""it"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['1=1', '1=1'],
])('behavior: the cell of %j', (text, cell) => {
  expect(cellOf(text)).toBe(cell)
})

test("behavior: a token's symbol is never a formula", () => {
  const pool = examplePool()
  const named = examplePool({ loanToken: { ...pool.loanToken, symbol: '=1+1' } })
  expect(positionsCsv([examplePosition()], { pools: [named], facts: noFacts, words })).toContain(",'=1+1,")
})

test('behavior: the file is named after the account and the day in UTC', () => {
  expect(csvName(maker, Date.UTC(2026, 10, 28, 23, 59))).toBe(`firmquote-${maker}-2026-11-28.csv`)
})

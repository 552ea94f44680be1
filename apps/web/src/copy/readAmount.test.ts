import { expect, test } from '@jest/globals'
import { readAmount } from './readAmount.ts'
import { chooseWords, createWords } from './words.ts'

const english = chooseWords(['en-US'])
const read = (text: string, symbol = 'USDC', words = english) => readAmount(text, { symbol, decimals: 6 }, words)
const amount = (tokens: bigint) => ({ amount: tokens * 1_000_000n })

test.each([
  ['$300,000', 'USDC', 300_000n],
  ['300,000 $', 'tUSD', 300_000n],
  ['300,000 USDC', 'USDC', 300_000n],
  ['300,000usdc', 'USDC', 300_000n],
  ['$300k usdc', 'USDC', 300_000n],
  ['€ 300,000', 'EURC', 300_000n],
  ['300k', 'K', 300_000n],
  ['300 m', 'M', 300_000_000n],
])('behavior: "%s" is an amount of %s', (text, symbol, tokens) => {
  expect(read(text, symbol)).toEqual(amount(tokens))
})

test.each([
  ['$300', 'WETH'],
  ['$300', 'EURC'],
  ['€300', 'USDC'],
  ['300 WETH', 'USDC'],
  ['$$300', 'USDC'],
  ['USDC', 'USDC'],
  ['$', 'USDC'],
])('error: "%s" is no amount of %s', (text, symbol) => {
  expect(read(text, symbol)).toMatchObject({ mistake: expect.any(String), corrections: [] })
})

test.each([
  ['1.000', 'en-US', ['1', '1,000']],
  ['1.234', 'en-US', ['1.2340', '1,234']],
  ['$1.000 USDC', 'en-US', ['1', '1,000']],
  ['1,000', 'de-DE', ['1', '1.000']],
  ['1,23.5', 'en-US', ['123.5']],
] as const)(
  'behavior: "%s" in %s can be corrected, and each correction is an amount',
  (text, language, corrections) => {
    const words = createWords({ texts: 'en', dates: language, numbers: language })
    expect(read(text, 'USDC', words)).toMatchObject({ corrections })
    for (const correction of corrections) expect(read(correction, 'USDC', words)).toHaveProperty('amount')
  },
)

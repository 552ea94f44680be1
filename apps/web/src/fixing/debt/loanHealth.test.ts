import type { AccountDebt } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { maker } from '../../../test/fixing/exampleMarket.ts'
import { loanHealth } from './loanHealth.ts'

const wad = 10n ** 18n
/** The collateral has 18 decimals and the loan token has 6, so a price of 1 is 1e24. */
const price = (whole: bigint) => whole * 10n ** 24n
const tWETH = { address: maker, symbol: 'tWETH', decimals: 18 }
const debt: AccountDebt = {
  poolId: `0x${'aa'.repeat(32)}`,
  protocol: 'morpho-blue',
  market: `0x${'bb'.repeat(32)}`,
  loanToken: maker,
  debt: 1n,
  collateral: { token: maker, amount: 15n * 10n ** 17n },
  lltv: (86n * wad) / 100n,
  oraclePrice: price(3_000n),
  liquidationPrice: 1_744_186_046_512_000_000_000_000_000n,
  healthFactor: 1_729n * 10n ** 15n,
}
const without = (...names: (keyof AccountDebt)[]) =>
  Object.fromEntries(Object.entries(debt).filter(([name]) => !names.includes(name as keyof AccountDebt))) as AccountDebt
const stateOf = (healthFactor: bigint) => loanHealth({ ...debt, healthFactor }, { collateral: tWETH }).state

test('default: prices of a whole token, the one of liquidation rounded up', () => {
  expect(loanHealth(debt, { collateral: tWETH })).toEqual({
    state: 'safe',
    hundredths: 172n,
    price: 3_000_000_000n,
    liquidationPrice: 1_744_186_047n,
    collateral: tWETH,
    amount: 15n * 10n ** 17n,
    value: 4_500_000_000n,
  })
})

test('behavior: it can be liquidated below one, and is close to it up to 1.1', () => {
  expect([wad - 1n, wad, (11n * wad) / 10n, (11n * wad) / 10n + 1n].map(stateOf)).toEqual([
    'liquidatable',
    'close',
    'close',
    'safe',
  ])
})

test('behavior: where no price makes it safe there is none to tell', () => {
  const lost = { ...without('liquidationPrice'), healthFactor: 0n }
  expect(loanHealth(lost, { collateral: tWETH })).toMatchObject({ state: 'liquidatable', liquidationPrice: null })
})

test.each([
  ['the collateral', without('collateral')],
  ['its price', without('oraclePrice')],
  ['the health', without('healthFactor')],
  ['the price of liquidation', without('liquidationPrice')],
])('behavior: without %s it is unknown', (_, known) => {
  expect(loanHealth(known, { collateral: tWETH })).toEqual({ state: 'unknown' })
})

test('behavior: without the token of the collateral, or with another one, it is unknown', () => {
  const other = { ...tWETH, address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' as const }
  expect([
    loanHealth(debt, {}),
    loanHealth(debt, { collateral: null }),
    loanHealth(debt, { collateral: other }),
  ]).toEqual(Array(3).fill({ state: 'unknown' }))
})

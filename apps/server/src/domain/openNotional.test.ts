import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Address } from 'viem'
import { fundsOf, measureDepth, type Offer, sumOpenNotional } from './openNotional.ts'

const a: Address = '0x1111111111111111111111111111111111111111'
const b: Address = '0x2222222222222222222222222222222222222222'
const offer = (maker: Address, notional: bigint, vrtAmount: bigint, funds: bigint): Offer => ({
  maker,
  notional,
  vrtAmount,
  funds,
})

describe('fundsOf', () => {
  test('default', () => {
    expect(fundsOf({ balance: 1n, allowance: 2n })).toBe(1n)
    expect(fundsOf({ balance: 2n, allowance: 1n })).toBe(1n)
  })
})

describe('sumOpenNotional', () => {
  test('default', () => {
    const openNotional = sumOpenNotional([
      { maker: a, loanToken: a, notional: 1n },
      { maker: a, loanToken: b, notional: 10n },
      { maker: b, loanToken: a, notional: 100n },
      { maker: a, loanToken: a, notional: 1_000n },
    ])
    expect([openNotional(a, a), openNotional(a, b), openNotional(b, a), openNotional(b, b)]).toEqual([
      1_001n,
      10n,
      100n,
      0n,
    ])
  })

  test('behavior: addresses in upper and lower case are the same', () => {
    const mixed: Address = '0xAbCdEf0000000000000000000000000000000000'
    const openNotional = sumOpenNotional([{ maker: mixed, loanToken: mixed, notional: 1n }])
    expect(openNotional(mixed.toLowerCase() as Address, mixed.toLowerCase() as Address)).toBe(1n)
  })
})

describe('measureDepth', () => {
  test('default', () => {
    const dear = offer(a, 100n, 10n, 1_000n)
    const cheap = offer(b, 50n, 4n, 1_000n)
    expect(measureDepth([dear, cheap])).toEqual({ best: cheap, quotes: 2, notional: 150n })
    expect(measureDepth([])).toEqual({ best: null, quotes: 0, notional: 0n })
  })

  test('behavior: a maker counts up to its funds', () => {
    const offers = [offer(a, 100n, 1n, 150n), offer(a, 100n, 2n, 150n), offer(b, 100n, 3n, 100n)]
    expect(measureDepth(offers)).toMatchObject({ quotes: 3, notional: 250n })
  })

  test('behavior: each maker counts up to the smaller of its offers and its funds, in any order', () => {
    const offers = fc.array(
      fc.record({
        maker: fc.constantFrom(a, b),
        notional: fc.bigInt({ min: 1n, max: 1_000n }),
        vrtAmount: fc.bigInt({ min: 0n, max: 1_000n }),
      }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(offers, fc.bigInt({ min: 0n, max: 2_000n }), (terms, funds) => {
        const all = terms.map((term) => ({ ...term, funds }))
        const { notional, quotes } = measureDepth(all)
        expect(quotes).toBe(all.length)
        expect(notional).toBe(measureDepth([...all].reverse()).notional)
        const byMaker = [a, b].map((maker) =>
          all.filter((item) => item.maker === maker).reduce((sum, item) => sum + item.notional, 0n),
        )
        expect(notional).toBe(
          byMaker.reduce((sum, offered) => sum + fundsOf({ balance: offered, allowance: funds }), 0n),
        )
      }),
    )
  })
})

import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { pad } from 'viem'
import { bruteForceChoice } from '../../test/bruteForceChoice.ts'
import { createDraws, drawMarket } from '../../test/randomMarket.ts'
import { InvalidInputError } from '../errors.ts'
import { type ChoosableQuote, type ChooseOptions, chooseQuotes } from './chooseQuotes.ts'

const hex = (value: number | bigint, size: number) => pad(`0x${value.toString(16)}`, { size })
let counter = 0
/** Creates a quote from a new maker. */
function quote(notional: bigint, vrtAmount: bigint, change: { maker?: number; hash?: number } = {}): ChoosableQuote {
  counter += 1
  return { hash: hex(change.hash ?? counter, 32), maker: hex(change.maker ?? counter, 20), notional, vrtAmount }
}

describe('chooseQuotes', () => {
  test('default: the cheapest cover, best rate first', () => {
    const [half, other, whole, dust] = [quote(50n, 2n), quote(50n, 1n), quote(100n, 4n), quote(10n, 0n)]
    expect(chooseQuotes([half, whole, other, dust], { notional: 100n, maxVrtAmount: 10n })).toEqual({
      quotes: [other, half],
      notional: 100n,
      cost: 3n,
      optimal: true,
      bound: { notional: 100n, cost: 3n },
    })
  })

  test('behavior: without quotes, nothing', () => {
    const nothing = { quotes: [], notional: 0n, cost: 0n, optimal: true, bound: { notional: 0n, cost: 0n } }
    expect(chooseQuotes([], { notional: 100n })).toEqual(nothing)
    expect(chooseQuotes([], { notional: 0n, maxVrtAmount: 0n })).toEqual(nothing)
    expect(chooseQuotes([quote(1n, 0n)], { notional: 0n })).toEqual(nothing)
  })

  test('behavior: takes quotes in full, within the notional and the capacity', () => {
    const options = { notional: 100n, maxVrtAmount: 100n }
    const sizes = (quotes: ChoosableQuote[], change: Partial<ChooseOptions> = {}) =>
      chooseQuotes(quotes, { ...options, ...change }).quotes.map(({ notional }) => notional)
    expect(sizes([quote(100n, 1n)])).toEqual([100n])
    expect(sizes([quote(101n, 1n)])).toEqual([])
    expect(sizes([quote(60n, 1n), quote(41n, 1n)])).toEqual([60n])
    expect(sizes([quote(60n, 1n), quote(40n, 1n)])).toEqual([60n, 40n])
    expect(sizes([quote(60n, 1n), quote(40n, 1n)], { capacity: 100n })).toEqual([60n, 40n])
    expect(sizes([quote(60n, 1n), quote(40n, 1n)], { capacity: 99n })).toEqual([60n])
    expect(sizes([quote(60n, 1n), quote(40n, 1n)], { capacity: 200n })).toEqual([60n, 40n])
    expect(sizes([quote(60n, 1n), quote(41n, 1n)], { capacity: 200n })).toEqual([60n])
    expect(sizes([quote(1n, 0n)], { capacity: 0n })).toEqual([])
    expect(sizes([quote(0n, 0n)])).toEqual([])
    expect(sizes([quote(50n, -1n)])).toEqual([])
  })

  test('behavior: limits each quote to its exact share', () => {
    const taken = (vrtAmount: bigint) =>
      chooseQuotes([quote(3n, vrtAmount)], { notional: 1_000n, maxVrtAmount: 334n }).quotes.length
    // The quote's share of the limit of 334 is 1.002.
    expect([taken(1n), taken(2n)]).toEqual([1, 0])
    // Together the two quotes cost less than the limit, but one of them exceeds its share.
    const [cheap, dear] = [quote(50n, 1n), quote(50n, 6n)]
    expect(chooseQuotes([cheap, dear], { notional: 100n, maxVrtAmount: 10n }).quotes).toEqual([cheap])
    const [at, above] = [quote(50n, 5n), quote(50n * 10n ** 30n, 5n * 10n ** 30n + 1n)]
    expect(chooseQuotes([at], { notional: 100n, maxVrtAmount: 10n }).quotes).toEqual([at])
    expect(chooseQuotes([above], { notional: 10n ** 32n, maxVrtAmount: 10n ** 31n }).quotes).toEqual([])
    // With a smaller capacity, the limit still applies to the notional.
    expect(chooseQuotes([at], { notional: 100n, maxVrtAmount: 10n, capacity: 50n }).quotes).toEqual([at])
    expect(chooseQuotes([quote(50n, 6n)], { notional: 100n, maxVrtAmount: 10n, capacity: 50n }).quotes).toEqual([])
    expect(chooseQuotes([quote(50n, 0n)], { notional: 100n, maxVrtAmount: 0n }).notional).toBe(50n)
  })

  test('behavior: ignores a quote that costs its notional', () => {
    const [below, at] = [quote(100n, 99n), quote(100n, 100n)]
    for (const maxVrtAmount of [undefined, 1_000n]) {
      const options = { notional: 100n, ...(maxVrtAmount !== undefined && { maxVrtAmount }) }
      expect(chooseQuotes([at], options).quotes).toEqual([])
      expect(chooseQuotes([below], options).quotes).toEqual([below])
    }
  })

  test('behavior: without full cover, the most under the limit, then the lowest cost', () => {
    const [small, dear, same] = [quote(60n, 1n), quote(61n, 6n), quote(61n, 5n)]
    expect(chooseQuotes([small, dear], { notional: 100n, maxVrtAmount: 10n }).quotes).toEqual([dear])
    expect(chooseQuotes([small, dear, same], { notional: 100n, maxVrtAmount: 10n }).quotes).toEqual([same])
  })

  test("behavior: one maker's funds count once", () => {
    const own = [quote(50n, 1n, { maker: 0xab }), quote(50n, 1n, { maker: 0xab })] as const
    const other = quote(40n, 4n)
    const fixed = (limit: bigint, maker = own[0].maker) => {
      const upper = { ...own[1], maker: own[1].maker.toUpperCase().replace('0X', '0x') as `0x${string}` }
      const options = { notional: 100n, maxVrtAmount: 10n, funds: new Map([[maker, limit]]) }
      return chooseQuotes([own[0], upper, other], options).notional
    }
    expect([fixed(100n), fixed(99n), fixed(50n), fixed(49n)]).toEqual([100n, 90n, 90n, 40n])
    // Another maker's funds.
    expect(fixed(0n, hex(7, 20))).toBe(100n)
  })

  test('behavior: counts a duplicate quote once', () => {
    const [one, two] = [quote(50n, 1n, { hash: 0xabc, maker: 1 }), quote(50n, 1n, { hash: 0xabc, maker: 1 })]
    const upper = { ...two, hash: two.hash.toUpperCase().replace('0X', '0x') as `0x${string}` }
    expect(chooseQuotes([one, upper], { notional: 100n }).notional).toBe(50n)
    // If a hash occurs with two sets of terms, their order does not change the result.
    const other = { ...one, vrtAmount: 2n }
    expect(chooseQuotes([one, other], { notional: 100n }).cost).toBe(1n)
    expect(chooseQuotes([other, one], { notional: 100n }).cost).toBe(1n)
  })

  test('behavior: at most four quotes, or fewer', () => {
    const quotes = [10n, 20n, 30n, 40n, 50n].map((size) => quote(size, 1n))
    expect(chooseQuotes(quotes, { notional: 1_000n, maxVrtAmount: 500n }).notional).toBe(140n)
    expect(chooseQuotes(quotes, { notional: 1_000n, maxVrtAmount: 500n, maxTakes: 2 }).notional).toBe(90n)
    expect(chooseQuotes(quotes, { notional: 1_000n, maxVrtAmount: 500n, maxTakes: 1 }).notional).toBe(50n)
  })

  test('behavior: among equals, prefers fewer quotes, then larger ones, then lower hashes', () => {
    const options = { notional: 100n, maxVrtAmount: 10n }
    const whole = quote(100n, 10n)
    const halves = [quote(50n, 5n, { hash: 0xc0 }), quote(50n, 5n, { hash: 0xa0 }), quote(50n, 5n, { hash: 0xb0 })]
    const parts = [quote(70n, 7n), quote(30n, 3n)]
    expect(chooseQuotes([...halves, whole, ...parts], options).quotes).toEqual([whole])
    expect(chooseQuotes([...halves, ...parts], options).quotes).toEqual(parts)
    expect(chooseQuotes(halves, options).quotes).toEqual([halves[1], halves[2]])
    expect(chooseQuotes(halves, { notional: 100n }).quotes).toEqual([halves[1], halves[2]])
  })

  describe('without a limit', () => {
    const choose = (...quotes: ChoosableQuote[]) => chooseQuotes(quotes, { notional: 100n }).quotes
    // At a rate of 5 %, the reserve is 10 %.
    const honest = quote(60n, 3n)

    test('default: takes more while it costs at most twice the rate of the half', () => {
      const [at, above] = [quote(40n, 4n), quote(40n, 5n)]
      expect(choose(honest, at)).toEqual([honest, at])
      expect(choose(honest, above)).toEqual([honest])
    })

    test('behavior: the full size does not win by size alone', () => {
      const almost = quote(99n, 5n)
      expect(choose(almost, quote(100n, 99n))).toEqual([almost])
      // One additional unit is worth about a tenth of a unit.
      expect(choose(almost, quote(100n, 6n))).toEqual([almost])
      const whole = quote(100n, 5n)
      expect(choose(almost, whole)).toEqual([whole])
      // Fixing 60 of 100 costs 3, and the reserve for the remaining 40 is 4.
      const [equal, more] = [quote(100n, 7n), quote(100n, 8n)]
      expect(choose(honest, equal)).toEqual([equal])
      expect(choose(honest, more)).toEqual([honest])
    })

    test('behavior: cheap quotes for less than half do not exclude the others', () => {
      const least = quote(10n, 0n)
      const rest = quote(90n, 5n)
      expect(choose(least, rest)).toEqual([least, rest])
      expect(choose(least, quote(100n, 5n)).map(({ notional }) => notional)).toEqual([100n])
      const [almostHalf, half] = [quote(49n, 0n), quote(50n, 0n)]
      const other = quote(50n, 2n)
      expect(choose(almostHalf, other)).toEqual([almostHalf, other])
      expect(choose(half, other)).toEqual([half])
    })

    test('behavior: expensive quotes do not raise the reserve while others offer half of the size', () => {
      const dear = Array.from({ length: 10 }, () => quote(50n, 49n))
      const half = quote(50n, 2n)
      expect(choose(half, ...dear)).toEqual([half])
    })

    test('behavior: in a thin market, they must offer as much as all others', () => {
      const [thin, less, same] = [quote(20n, 1n), quote(19n, 18n), quote(21n, 20n)]
      expect(choose(thin, less)).toEqual([thin])
      // With this quote, only the payout bounds the cost.
      expect(choose(thin, same)).toEqual([same, thin].sort((a, b) => (a === thin ? -1 : b === thin ? 1 : 0)))
    })

    test('behavior: never pays more for a part than its notional', () => {
      const [first, whole] = [quote(60n, 36n), quote(100n, 77n)]
      // Twice the rate of 60 % would be 120 %, so the reserve rate is capped.
      expect(choose(first, whole)).toEqual([first])
      expect(choose(first, quote(100n, 75n)).map(({ notional }) => notional)).toEqual([100n])
    })

    test("behavior: a maker's funds count once for the price too", () => {
      const low = [1, 2, 3, 4, 5].map(() => quote(10n, 0n, { maker: 0xf }))
      const rest = quote(90n, 5n)
      const funds = new Map([[low[0]?.maker ?? '', 10n]])
      expect(chooseQuotes([...low, rest], { notional: 100n, funds }).notional).toBe(100n)
      expect(chooseQuotes([...low, rest], { notional: 100n }).notional).toBe(40n)
    })

    test('behavior: uses half of the capacity if that is less', () => {
      const [low, rest] = [quote(10n, 0n), quote(10n, 1n)]
      const options = { notional: 100n, capacity: 20n }
      expect(chooseQuotes([low, rest], options).quotes).toEqual([low])
      expect(chooseQuotes([low, rest], { ...options, capacity: 19n }).quotes).toEqual([low])
      expect(chooseQuotes([low, rest, quote(20n, 2n)], options).quotes).toEqual([low])
      expect(chooseQuotes([low, quote(11n, 1n)], { ...options, capacity: 21n }).notional).toBe(21n)
    })
  })

  describe('error', () => {
    test.each<[string, unknown]>([
      ['notional', { notional: 100 }],
      ['notional', {}],
      ['maxVrtAmount', { notional: 1n, maxVrtAmount: '1' }],
      ['capacity', { notional: 1n, capacity: 1 }],
      ['maxTakes', { notional: 1n, maxTakes: 0 }],
      ['maxTakes', { notional: 1n, maxTakes: 5 }],
      ['maxTakes', { notional: 1n, maxTakes: 1.5 }],
      ['maxSteps', { notional: 1n, maxSteps: 0 }],
      ['maxSteps', { notional: 1n, maxSteps: 0.5 }],
      ['options', null],
    ])('error: %s of %p', (path, options) => {
      const call = () => chooseQuotes([], options as ChooseOptions)
      expect(call).toThrow(InvalidInputError)
      expect(call).toThrow(expect.objectContaining({ path }))
    })

    test.each([null, { ...quote(1n, 0n), notional: 1 }, { ...quote(1n, 0n), vrtAmount: '1' }])('error: %p', (given) => {
      const call = () => chooseQuotes([given as unknown as ChoosableQuote], { notional: 1n })
      expect(call).toThrow(InvalidInputError)
      expect(call).toThrow(expect.objectContaining({ path: 'quotes' }))
    })
  })
})

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

describe('chooseQuotes against brute force', () => {
  test('behavior: the same on 10,000 random sets, in any order', () => {
    const draw = createDraws(seed)
    const reached = {
      covers: 0,
      partial: 0,
      nothing: 0,
      ties: 0,
      funds: 0,
      capacity: 0,
      several: 0,
      limited: 0,
      free: 0,
    }
    const hashes = (quotes: readonly ChoosableQuote[]) =>
      quotes
        .map(({ hash }) => hash)
        .sort()
        .join()
    for (let run = 0; run < 10_000; run += 1) {
      const { quotes, options } = drawMarket(draw)
      const expected = bruteForceChoice(quotes, options)
      const choice = chooseQuotes(quotes, options)
      const { notional, cost } = expected
      const isSame =
        choice.notional === notional &&
        choice.cost === cost &&
        choice.optimal &&
        choice.bound.notional === notional &&
        choice.bound.cost === cost &&
        hashes(choice.quotes) === hashes(expected.quotes)
      if (!isSame) throw new Error(`SEED=${seed}, set ${run}: ${inspect({ quotes, options, expected, choice })}`)
      // Rotated by a random offset.
      const place = draw(quotes.length + 1)
      const moved = [...quotes.slice(place).reverse(), ...quotes.slice(0, place)]
      if (hashes(chooseQuotes(moved, options).quotes) !== hashes(expected.quotes)) {
        throw new Error(`SEED=${seed}, set ${run}: in another order ${inspect({ quotes, options, place })}`)
      }
      if (notional === options.notional) reached.covers += 1
      else if (notional > 0n) reached.partial += 1
      else reached.nothing += 1
      if (expected.ties > 0) reached.ties += 1
      if (expected.fundsBound) reached.funds += 1
      if (options.capacity === notional && notional > 0n && notional < options.notional) reached.capacity += 1
      if (choice.quotes.length > 1) reached.several += 1
      if (options.maxVrtAmount === undefined) reached.free += 1
      else reached.limited += 1
    }
    for (const [what, times] of Object.entries(reached)) {
      if (times < 150) throw new Error(`SEED=${seed}: ${what} was reached ${times} times only`)
    }
    expect(Object.keys(reached)).toHaveLength(9)
  })
})

describe('chooseQuotes of many quotes', () => {
  const limited = { notional: 1_000_000n, maxVrtAmount: 100_000n }

  test('behavior: reports that the step limit ended the search', () => {
    // The sizes are even and about a quarter of an odd notional. The search immediately fixes all but one unit, but
    // cannot rule out a better set.
    const quotes = Array.from({ length: 200 }, (_, index) => quote(249_800n + 2n * BigInt(index), 12_490n))
    const options = { ...limited, notional: 1_000_001n }
    const choice = chooseQuotes(quotes, options)
    expect(choice).toMatchObject({ notional: 1_000_000n, optimal: false, bound: { notional: 1_000_001n } })
    expect(choice.bound.cost).toBeLessThanOrEqual(choice.cost)
    // With enough steps, the search completes.
    const few = quotes.slice(80, 120)
    expect(chooseQuotes(few, { ...options, maxSteps: 100 }).optimal).toBe(false)
    expect(chooseQuotes(few, { ...options, maxSteps: 1_000_000 })).toMatchObject({
      optimal: true,
      notional: 1_000_000n,
    })
  })

  test('behavior: the cost bound uses the lowest rates, and the notional bound counts four quotes', () => {
    const [cheap, dear] = [Array.from({ length: 10 }, () => quote(30_001n, 10n)), [] as ChoosableQuote[]]
    for (let index = 0; index < 190; index += 1) dear.push(quote(200_001n + BigInt(index) * 7n, 20_000n))
    const quotes = [...cheap, ...dear]
    const choice = chooseQuotes(quotes, { ...limited, maxSteps: 1 })
    expect(choice.optimal).toBe(false)
    // The four largest quotes.
    expect(choice.bound.notional).toBe(4n * 200_001n + (189n + 188n + 187n + 186n) * 7n)
    let [rest, cost] = [choice.notional - 300_010n, 100n]
    for (const { notional, vrtAmount } of dear.toReversed().sort((a, b) => Number(b.notional - a.notional))) {
      const part = rest < notional ? rest : notional
      cost += (vrtAmount * part) / notional
      rest -= part
    }
    expect(choice.bound.cost).toBe(cost)
  })

  test('behavior: twenty quotes are always exact', () => {
    const quotes = Array.from({ length: 20 }, (_, index) => quote(250_001n + 6n * BigInt(index), 12_500n))
    expect(chooseQuotes(quotes, { ...limited, maxSteps: 1 }).optimal).toBe(true)
    expect(chooseQuotes([...quotes, quote(250_000n, 12_500n)], { ...limited, maxSteps: 1 }).optimal).toBe(false)
    // Ineligible quotes do not count towards the 20.
    expect(chooseQuotes([...quotes, quote(250_000n, 25_001n)], { ...limited, maxSteps: 1 }).optimal).toBe(true)
  })

  test('behavior: without a limit, excludes quotes above the reserve rate', () => {
    const cheap = Array.from({ length: 5 }, () => quote(200_000n, 1_000n))
    const dear = Array.from({ length: 30 }, (_, index) => quote(300_000n + BigInt(index), 200_000n))
    const choice = chooseQuotes([...dear, ...cheap], { notional: 1_000_000n, maxSteps: 1 })
    expect([choice.optimal, choice.notional]).toEqual([true, 800_000n])
  })

  test('behavior: with too few steps, searches only the twenty lowest rates', () => {
    const cheap = Array.from({ length: 20 }, () => quote(100_000n, 1_000n))
    const dear = Array.from({ length: 4 }, () => quote(250_000n, 20_000n))
    const choice = chooseQuotes([...dear, ...cheap], { ...limited, maxSteps: 1 })
    expect([choice.optimal, choice.notional]).toEqual([false, 400_000n])
    expect(chooseQuotes([...dear, ...cheap], limited)).toMatchObject({ optimal: true, notional: 1_000_000n })
  })

  test('behavior: quotes crafted to slow the search do not hide the cheapest choice', () => {
    const honest = Array.from({ length: 4 }, () => quote(250_000n, 12_500n))
    const hostile = Array.from({ length: 196 }, (_, index) => quote(250_001n + BigInt(index), 25_000n))
    expect(chooseQuotes([...hostile, ...honest], limited).quotes.map(({ hash }) => hash)).toEqual(
      honest.map(({ hash }) => hash),
    )
  })

  test('behavior: breaks ties as for few quotes', () => {
    const halves = Array.from({ length: 30 }, () => quote(500_000n, 25_000n))
    const whole = quote(1_000_000n, 50_000n)
    expect(chooseQuotes([...halves, whole], limited).quotes).toEqual([whole])
    // More than 20 quotes have lower rates than the decisive quote.
    const cheap = Array.from({ length: 30 }, () => quote(300_000n, 3_000n))
    const last = quote(100_000n, 9_000n)
    const choice = chooseQuotes([...cheap, last], { ...limited, maxSteps: 10_000 })
    expect(choice.quotes).toEqual([...cheap.slice(0, 3), last])
    expect(choice.optimal).toBe(true)
  })

  test('behavior: the result is independent of order, even at the step limit', () => {
    const draw = createDraws(seed)
    for (let run = 0; run < 5; run += 1) {
      const quotes = Array.from({ length: 200 }, () => quote(BigInt(100_000 + draw(400_000)), BigInt(draw(20_000))))
      const choice = chooseQuotes(quotes, { ...limited, maxSteps: 500 })
      expect(chooseQuotes(quotes.toReversed(), { ...limited, maxSteps: 500 })).toEqual(choice)
    }
  })
})

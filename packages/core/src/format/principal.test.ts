import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { InvalidInputError } from '../errors.ts'
import { maxUint256 } from '../values/uint256.ts'
import { formatPrincipal, formatTvl, parsePrincipal } from './principal.ts'

const anyAmount = fc.bigInt({ min: 0n, max: maxUint256 })
const anyDecimals = fc.integer({ min: 0, max: 255 })

describe('formatPrincipal', () => {
  test('default', () => {
    expect(formatPrincipal(250_000_500_000n, 6)).toBe('250,000.5')
    expect([0n, 1n, 999_999n, 1_000_000n, 999_000_000n, 1_000_000_000n].map((x) => formatPrincipal(x, 6))).toEqual([
      '0',
      '0.000001',
      '0.999999',
      '1',
      '999',
      '1,000',
    ])
    expect(formatPrincipal(1_234_567n, 0)).toBe('1,234,567')
    expect(formatPrincipal(maxUint256, 18)).toBe(
      '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457.584007913129639935',
    )
  })

  test('behavior: pads and truncates digits, never rounds', () => {
    expect(formatPrincipal(1_999_999n, 6, { maxFractionDigits: 2 })).toBe('1.99')
    expect(formatPrincipal(1_999_999n, 6, { maxFractionDigits: 0 })).toBe('1')
    expect(formatPrincipal(1_500_000n, 6, { minFractionDigits: 2 })).toBe('1.50')
    expect(formatPrincipal(1_001_000n, 6, { minFractionDigits: 2, maxFractionDigits: 2 })).toBe('1.00')
    expect(formatPrincipal(7n, 0, { minFractionDigits: 2 })).toBe('7.00')
    expect(formatPrincipal(1_234_000_000n, 6, { grouping: false })).toBe('1234')
  })

  test('error: arguments and options out of range', () => {
    for (const amount of [-1n, maxUint256 + 1n]) expect(() => formatPrincipal(amount, 6)).toThrow('amount: must be')
    expect(() => formatPrincipal(1 as unknown as bigint, 6)).toThrow(InvalidInputError)
    for (const decimals of [-1, 256, 1.5, Number.NaN]) expect(() => formatPrincipal(1n, decimals)).toThrow('decimals:')
    expect(() => formatPrincipal(1n, 6, { minFractionDigits: -1 })).toThrow('minFractionDigits:')
    expect(() => formatPrincipal(1n, 6, { maxFractionDigits: 0.5 })).toThrow('maxFractionDigits:')
    expect(() => formatPrincipal(1n, 6, { minFractionDigits: 3, maxFractionDigits: 2 })).toThrow(
      'minFractionDigits: must not exceed maxFractionDigits',
    )
  })
})

describe('parsePrincipal', () => {
  test('default', () => {
    expect(parsePrincipal('250,000.5', 6)).toBe(250_000_500_000n)
    expect(['0', '0.0', '1', '1.50', '1234', '1,234', '1234.000001'].map((text) => parsePrincipal(text, 6))).toEqual([
      0n,
      0n,
      1_000_000n,
      1_500_000n,
      1_234_000_000n,
      1_234_000_000n,
      1_234_000_001n,
    ])
  })

  test('behavior: parses what formatPrincipal returns, for every uint256', () => {
    for (const amount of [0n, 1n, maxUint256]) {
      for (const decimals of [0, 1, 6, 18, 77, 78, 255]) {
        expect(parsePrincipal(formatPrincipal(amount, decimals), decimals)).toBe(amount)
      }
    }
    fc.assert(
      fc.property(
        anyAmount,
        anyDecimals,
        fc.boolean(),
        fc.nat(255),
        (amount, decimals, grouping, minFractionDigits) => {
          expect(parsePrincipal(formatPrincipal(amount, decimals), decimals)).toBe(amount)
          const options = { grouping, minFractionDigits: Math.min(minFractionDigits, decimals) }
          expect(parsePrincipal(formatPrincipal(amount, decimals, options), decimals)).toBe(amount)
        },
      ),
    )
  })

  test('behavior: parses any text exactly or rejects it', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9,.]{0,12}$/))
    fc.assert(
      fc.property(text, (input) => {
        let amount: bigint
        try {
          amount = parsePrincipal(input, 6)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInputError)
          return
        }
        const fractionDigits = input.split('.')[1]?.length ?? 0
        const options = { grouping: input.includes(','), minFractionDigits: fractionDigits }
        expect(formatPrincipal(amount, 6, options)).toBe(input)
      }),
    )
  })

  test.each([
    ['nothing', '', 'The amount is empty'],
    ['a negative amount', '-1', 'must not be negative'],
    ['too many decimals', '1.0000001', 'The amount 1.0000001 has more decimals than the token, which has 6 decimals.'],
    ['more than 256 bits', '1'.repeat(78), 'does not fit in 256 bits'],
    ['an endless number', '1'.repeat(361), 'too long'],
    ...[' 1', '1 ', '1\n', '+1', '1_000', '1.2.3', '١', 'NaN', 'ten', '250k', '1.5m', 'k'].map((text) => [
      'no plain amount',
      text,
      "The amount must be written like '1234.5' or '1,234.5'.",
    ]),
    ['an exponent', '1e6', 'The amount must be written without an exponent.'],
    ['hex', '0x10', 'The amount must be written in decimal digits, not in hex.'],
    ['zeros in front', '01', 'The amount must have no leading zeros.'],
    ...['.5', '5.'].map((text) => [
      'a bare point',
      text,
      'must have digits on both sides of the decimal point, like 0.5.',
    ]),
    ...['1,23', '12,34,567', ',123', '1,2345', '1234,567', '0,123', '1,234,', '1.234,567', '1.000,5'].map((text) => [
      'misplaced commas',
      text,
      'The amount must use commas only between thousands, like 1,234.5.',
    ]),
  ])('error: %s: %j', (_what, text, message) => {
    expect(() => parsePrincipal(text as string, 6)).toThrow(InvalidInputError)
    expect(() => parsePrincipal(text as string, 6)).toThrow(message)
  })

  test('error: one unit above the largest, a wrong type, wrong decimals', () => {
    expect(parsePrincipal(maxUint256.toString(), 0)).toBe(maxUint256)
    expect(() => parsePrincipal((maxUint256 + 1n).toString(), 0)).toThrow('does not fit')
    expect(() => parsePrincipal(5 as unknown as string, 6)).toThrow('The amount is empty')
    expect(() => parsePrincipal('1', 256)).toThrow('decimals:')
    expect(() => parsePrincipal('1.', 0)).toThrow('both sides')
    expect(() => parsePrincipal('1.0', 0)).toThrow('which has 0 decimals')
  })
})

describe('formatTvl', () => {
  const usdc = (whole: number) => BigInt(Math.round(whole * 1e6))

  test('default', () => {
    expect([0, 0.01, 950, 1_234, 1_234_567, 12_345_678_901, 4.5e12].map((x) => formatTvl(usdc(x), 6))).toEqual([
      '$0.00',
      '$0.01',
      '$950.00',
      '$1.23K',
      '$1.23M',
      '$12.35B',
      '$4.50T',
    ])
  })

  test('behavior: rounds half up and moves on to the next magnitude', () => {
    expect(
      ['999.994', '999.995', '999994.99', '999995', '999994999.999999', '999995000'].map((text) => {
        return formatTvl(parsePrincipal(text, 6), 6)
      }),
    ).toEqual(['$999.99', '$1.00K', '$999.99K', '$1.00M', '$999.99M', '$1.00B'])
  })

  test('behavior: too little to show, more than trillions, whole numbers', () => {
    expect([formatTvl(4_999n, 6), formatTvl(5_000n, 6), formatTvl(1n, 18)]).toEqual(['<$0.01', '$0.01', '<$0.01'])
    expect(formatTvl(10n ** 24n, 6)).toBe('$1,000,000.00T')
    expect(formatTvl(1_500_000n, 0, { fractionDigits: 0 })).toBe('$2M')
    expect(formatTvl(1n, 6, { fractionDigits: 0 })).toBe('<$1')
  })

  test('behavior: another currency, or a symbol', () => {
    expect(formatTvl(usdc(1_234_567), 6, { currency: '€' })).toBe('€1.23M')
    expect(formatTvl(usdc(1_234_567), 6, { symbol: 'USDC', fractionDigits: 1 })).toBe('1.2M USDC')
    expect(formatTvl(1n, 6, { symbol: 'USDC' })).toBe('<0.01 USDC')
  })

  test('behavior: any total below a quadrillion is short, and its text is off by at most half a step', () => {
    const units: Record<string, bigint> = { '': 1n, K: 10n ** 3n, M: 10n ** 6n, B: 10n ** 9n, T: 10n ** 12n }
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 16n, max: 999n * 10n ** 30n }), (amount) => {
        const text = formatTvl(amount, 18)
        const [, number = '', suffix = ''] = /^\$([0-9]{1,3}\.[0-9]{2})([KMBT]?)$/.exec(text) ?? []
        const shown = parsePrincipal(number, 18) * (units[suffix] ?? 0n)
        const halfStep = (units[suffix] ?? 0n) * 5n * 10n ** 15n
        const difference = shown - amount
        expect(difference <= halfStep && difference >= -halfStep).toBe(true)
      }),
    )
  })

  test('error: arguments and options out of range', () => {
    expect(() => formatTvl(-1n, 6)).toThrow('amount:')
    expect(() => formatTvl(1n, -1)).toThrow('decimals:')
    expect(() => formatTvl(1n, 6, { fractionDigits: 256 })).toThrow('fractionDigits:')
  })
})

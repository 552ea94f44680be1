import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { InvalidInputError } from '../errors.ts'
import { formatAddress, formatDuration, formatPoolId, formatRate, formatTimestamp, getChainName } from './formats.ts'

describe('formatRate', () => {
  test('default', () => {
    expect(formatRate(5.25)).toBe('5.25%')
    expect([0, -0, 5, 100, 12.345].map((percent) => formatRate(percent))).toEqual([
      '0.00%',
      '0.00%',
      '5.00%',
      '100.00%',
      '12.35%',
    ])
  })

  test('behavior: digits, very small and very large rates', () => {
    expect(formatRate(5.254_999, { fractionDigits: 4 })).toBe('5.2550%')
    expect(formatRate(5.5, { fractionDigits: 0 })).toBe('6%')
    expect([0.005, 0.0049, 1e-9].map((percent) => formatRate(percent))).toEqual(['0.01%', '<0.01%', '<0.01%'])
    expect(formatRate(0.2, { fractionDigits: 0 })).toBe('<1%')
    expect([1234.5, 1_000_000].map((percent) => formatRate(percent))).toEqual(['1,234.50%', '1,000,000.00%'])
    expect([1_000_001, 1e300, Number.POSITIVE_INFINITY].map((percent) => formatRate(percent))).toEqual(
      Array(3).fill('>1,000,000%'),
    )
  })

  test('error: no percentage, or digits out of range', () => {
    for (const percent of [-1, Number.NaN]) expect(() => formatRate(percent)).toThrow(InvalidInputError)
    expect(() => formatRate('5' as unknown as number)).toThrow('percent: must be a non-negative number')
    for (const fractionDigits of [-1, 21, 1.5])
      expect(() => formatRate(5, { fractionDigits })).toThrow('fractionDigits:')
  })
})

describe('formatAddress', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

  test('default', () => {
    expect(formatAddress(address)).toBe('0x5aAe…eAed')
  })

  test('behavior: checksums a lower-case address, and shows more digits on request', () => {
    expect(formatAddress(address.toLowerCase())).toBe('0x5aAe…eAed')
    expect(formatAddress(address, { start: 6, end: 2 })).toBe('0x5aAeb6…ed')
    expect(formatAddress(address, { start: 0, end: 0 })).toBe('0x…')
    expect(formatAddress(address.toLowerCase(), { start: 20, end: 20 })).toBe(address)
  })

  test('error: no address, a wrong checksum, bad options', () => {
    const wrong = [
      address.replace('5aA', '5AA'),
      address.slice(2),
      `${address}00`,
      `${address.slice(0, 41)}g`,
      '',
      '0x',
    ]
    for (const text of wrong) expect(() => formatAddress(text)).toThrow(InvalidInputError)
    expect(() => formatAddress(address, { start: -1 })).toThrow('start: must be a whole number')
    expect(() => formatAddress(address, { end: 0.5 })).toThrow('end: must be a whole number')
  })
})

describe('formatPoolId', () => {
  test('default', () => {
    expect(formatPoolId(`0x${'22'.repeat(32)}`)).toBe('0x2222…2222')
  })

  test('behavior: lower case, and more digits on request', () => {
    expect(formatPoolId(`0x${'AB'.repeat(32)}`, { start: 2, end: 6 })).toBe('0xab…ababab')
  })

  test('error: not 32 bytes of hex', () => {
    const wrong = ['22'.repeat(32), `0x${'22'.repeat(31)}`, `0x${'22'.repeat(33)}`, `0x${'2g'.repeat(32)}`, '']
    for (const text of wrong) expect(() => formatPoolId(text)).toThrow('poolId: must be 32 bytes in hex')
  })
})

describe('formatDuration', () => {
  test('default', () => {
    expect([0, 1, 45, 60, 61, 3599, 3600, 86_399, 86_400, 93_784, 31_536_000].map((s) => formatDuration(s))).toEqual([
      '0s',
      '1s',
      '45s',
      '1m',
      '1m 1s',
      '59m 59s',
      '1h',
      '23h 59m',
      '1d',
      '1d 2h',
      '365d',
    ])
  })

  test('behavior: bigint, fractions of a second, and the number of units', () => {
    expect(formatDuration(93_784n)).toBe('1d 2h')
    expect([0.9, 59.999].map((seconds) => formatDuration(seconds))).toEqual(['0s', '59s'])
    expect([1, 2, 3, 4].map((units) => formatDuration(93_784, { units }))).toEqual([
      '1d',
      '1d 2h',
      '1d 2h 3m',
      '1d 2h 3m 4s',
    ])
    expect(formatDuration(86_400 + 180)).toBe('1d')
  })

  test('behavior: with all four units nothing is lost', () => {
    const weights: Record<string, number> = { d: 86_400, h: 3_600, m: 60, s: 1 }
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        const parts = formatDuration(seconds, { units: 4 }).split(' ')
        const sum = parts.reduce((total, part) => total + Number.parseInt(part, 10) * (weights[part.slice(-1)] ?? 0), 0)
        expect(sum).toBe(seconds)
      }),
    )
  })

  test('error: negative, not finite, bad units', () => {
    for (const seconds of [-1, -0.5, -1n, Number.NaN, Number.POSITIVE_INFINITY, 2n ** 256n]) {
      expect(() => formatDuration(seconds)).toThrow('seconds: must be a whole number')
    }
    for (const units of [0, 5, 1.5]) expect(() => formatDuration(1, { units })).toThrow('units: must be a whole number')
  })
})

describe('formatTimestamp', () => {
  test('default', () => {
    expect(formatTimestamp(1_803_859_200)).toBe('2027-03-01 00:00 UTC')
    expect(formatTimestamp(0)).toBe('1970-01-01 00:00 UTC')
  })

  test('behavior: bigint, seconds, the last instant', () => {
    expect(formatTimestamp(1_767_226_259n)).toBe('2026-01-01 00:10 UTC')
    expect(formatTimestamp(1_767_226_259.9, { seconds: true })).toBe('2026-01-01 00:10:59 UTC')
    expect(formatTimestamp(253_402_300_799, { seconds: true })).toBe('9999-12-31 23:59:59 UTC')
  })

  test('error: out of range', () => {
    for (const instant of [-1, Number.NaN, 253_402_300_800, 2n ** 256n - 1n]) {
      expect(() => formatTimestamp(instant)).toThrow('unixSeconds: must be a whole number')
    }
  })
})

describe('getChainName', () => {
  test('default', () => {
    expect([1, 8453, 84532, 31337].map(getChainName)).toEqual(['Ethereum', 'Base', 'Base Sepolia', 'Anvil'])
  })

  test('behavior: an unknown chain', () => {
    expect(getChainName(123)).toBe('Chain 123')
  })

  test('error: not a chain id', () => {
    for (const id of [-1, 1.5, Number.NaN]) expect(() => getChainName(id)).toThrow('chainId: must be a whole number')
  })
})

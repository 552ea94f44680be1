import { aprToRatePerSec, maxRatePerSec } from '@firmquote/core'
import { maxUint256 } from '@firmquote/core/utils'
import { describe, expect, test } from '@jest/globals'
import { floatingRate } from './lendingMarket.ts'

describe('floatingRate', () => {
  test('default', () => {
    const ratePerSec = aprToRatePerSec(5)
    const { apr, apy, ...rest } = floatingRate(ratePerSec)
    expect(rest).toEqual({ ratePerSec })
    expect(apr).toBeCloseTo(5, 7)
    expect(apy).toBeCloseTo(5.127109637, 6)
    expect(floatingRate(0n)).toEqual({ ratePerSec: 0n, apr: 0, apy: 0 })
  })

  test.each([maxRatePerSec, maxRatePerSec + 1n, maxUint256])(
    'behavior: a rate beyond the rate helpers has finite numbers: %s',
    (rate) => {
      const { apr, apy } = floatingRate(rate)
      expect(apr).toBeGreaterThanOrEqual(999_999)
      expect(apy).toBe(Number.MAX_VALUE)
      expect(JSON.parse(JSON.stringify({ apr, apy }))).toEqual({ apr, apy })
    },
  )

  test('behavior: a higher rate never has a lower APR', () => {
    const aprs = [1n, 10n ** 9n, maxRatePerSec, maxRatePerSec + 10n ** 9n, maxUint256].map(
      (rate) => floatingRate(rate).apr,
    )
    expect(aprs).toEqual([...aprs].sort((x, y) => x - y))
  })
})

import { expect, test } from '@jest/globals'
import { type CurveAddress, curveHref } from '../../routes.ts'
import { parseCurveAddress } from './parseCurveAddress.ts'

const poolId = `0x${'ab'.repeat(32)}` as const

test.each<CurveAddress>([
  {},
  { poolId },
  { size: 250_000_000_000n },
  { poolId, size: 1n, firmOnly: true, seriesKey: poolId },
])('default: what is written is read %#', (address) => {
  expect(parseCurveAddress(curveHref(address).split('?')[1] ?? '')).toEqual(address)
})

test('behavior: the address holds nothing that is not needed', () => {
  expect(curveHref()).toBe('#/curve')
  expect(curveHref({ size: 5n, firmOnly: false })).toBe('#/curve?size=5')
})

test('behavior: hex in upper case is the same pool', () => {
  expect(parseCurveAddress(`pool=0x${'AB'.repeat(32)}`)).toEqual({ poolId })
  expect(parseCurveAddress(`series=0x${'AB'.repeat(32)}`)).toEqual({ seriesKey: poolId })
  expect(parseCurveAddress(`series=0x${'AB'.repeat(31)}`)).toEqual({})
})

test.each(['', '0', '-1', '01', '1.5', '0x10', '1e9', ' 1', '9'.repeat(78)])(
  'error: a size of "%s" is left out',
  (size) => {
    expect(parseCurveAddress(`size=${encodeURIComponent(size)}`)).toEqual({})
  },
)

test.each(['0x12', 'abc', `0x${'zz'.repeat(32)}`])('error: a pool of "%s" is left out', (pool) => {
  expect(parseCurveAddress(`pool=${pool}&show=all`)).toEqual({})
})

import { expect, test } from '@jest/globals'
import { exampleVerdict } from '../../../test/views/acceptance/exampleVerdict.ts'
import { isForOther } from './isForOther.ts'

const rejection = { code: 'TERMS_MISMATCH', field: 'taker', value: '0x11', expected: '0x22' } as const

test('default: an offer that was made for another account, and has nothing else against it', () => {
  expect(isForOther(exampleVerdict({ preview: { ok: false, rejection } }))).toBe(true)
  expect(isForOther(exampleVerdict())).toBe(false)
})

test('behavior: with anything else against it, it is gone for that account too', () => {
  const preview = { ok: false, rejection }
  expect(isForOther(exampleVerdict({ preview, deadline: { ok: false } }))).toBe(false)
  expect(isForOther(exampleVerdict({ preview, nonceAndStatus: { ok: false } }))).toBe(false)
  expect(isForOther(exampleVerdict({ preview, makerFunds: { ok: false } }))).toBe(false)
  expect(isForOther(exampleVerdict({ preview, terms: { ok: false } }))).toBe(false)
  expect(isForOther(exampleVerdict({ preview: { ok: false, rejection: { ...rejection, field: 'poolId' } } }))).toBe(
    false,
  )
  expect(isForOther(exampleVerdict({ preview: { ok: false } }))).toBe(false)
})

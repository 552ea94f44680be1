import { expect, test } from '@jest/globals'
import { oneLine } from './oneLine.ts'

test('default: short plain text is unchanged', () => {
  expect(oneLine('wstETH', 12)).toBe('wstETH')
  expect(oneLine('USD₮0', 12)).toBe('USD₮0')
  expect(oneLine('x'.repeat(12), 12)).toBe('x'.repeat(12))
})

test('error: line breaks, escapes, bidirectional overrides and long text', () => {
  expect(oneLine('US\u202eDC\n\u0007', 12)).toBe('US DC')
  expect(oneLine('\u200b \u0000', 12)).toBe('')
  expect(oneLine('x'.repeat(1_000_000), 12)).toBe(`${'x'.repeat(12)}…`)
  expect(oneLine('🙂'.repeat(20), 12)).toBe(`${'🙂'.repeat(12)}…`)
})

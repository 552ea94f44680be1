import { expect, test } from '@jest/globals'
import { reasonWords } from './reasonWords.ts'

test('default', () => {
  expect(reasonWords('QUOTE_FILLED')).toBe('It has been taken')
})

test("behavior: a reason of the contract's own stands for itself", () => {
  expect(reasonWords('NOTIONAL_ZERO')).toBe('Refused by the contract: NOTIONAL_ZERO')
  expect(reasonWords('constructor')).toBe('Refused by the contract: constructor')
})

import { expect, test } from '@jest/globals'
import { de } from './de.ts'
import { explainHalt } from './explainHalt.ts'
import { chooseWords } from './words.ts'

const words = chooseWords(['en'])

test('default: the message of the operator, in both languages', () => {
  const message = 'The price feed is being replaced.'
  expect(explainHalt(message, words)).toBe(`Paused by the operator: ${message}`)
  expect(explainHalt(message, { texts: de.texts })).toBe(`Vom Betreiber pausiert: ${message}`)
})

test.each([undefined, null, '', ' \u202e', 7])('behavior: no message (%j)', (message) => {
  expect(explainHalt(message, words)).toBe('Paused by the operator.')
})

test('behavior: the message of a hostile service is one bounded line', () => {
  expect(explainHalt(`a\n\u202eb${'c'.repeat(1_000)}`, words)).toMatch(/^Paused by the operator: a b(c{277})…$/)
})

import { expect, test } from '@jest/globals'
import { ConfigurationError } from './configurationError.ts'
import { formatError } from './formatError.ts'

test('default: the message of a known error, with its details', () => {
  expect(formatError(new ConfigurationError('PORT is taken.'))).toBe('PORT is taken.')
  expect(formatError(new ConfigurationError('PORT is taken.', { details: 'Choose another.' }))).toBe(
    'PORT is taken. Choose another.',
  )
})

test('behavior: the stack of every other error', () => {
  const error = new TypeError('x is not a function')
  expect(formatError(error)).toBe(error.stack)
  expect(formatError('a text')).toBe('a text')
})

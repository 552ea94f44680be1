import { expect, test } from '@jest/globals'
import { protocolName } from './protocolName.ts'

test('default', () => {
  expect(protocolName('morpho-blue')).toBe('Morpho Blue')
  expect(protocolName('aave')).toBe('Aave')
})

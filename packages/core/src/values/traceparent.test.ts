import { expect, test } from '@jest/globals'
import { parseTraceparent } from './traceparent.ts'

const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test('default: a traceparent of version 00 stays as it is', () => {
  for (const flags of ['00', '01', 'ff']) {
    expect(parseTraceparent(`00-${trace}-${span}-${flags}`)).toBe(`00-${trace}-${span}-${flags}`)
  }
})

test.each([
  '',
  `01-${trace}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}-1`,
  `00-${trace}-${span}-01-more`,
  `00-${trace}-${span}-01\n`,
  ` 00-${trace}-${span}-01`,
  `00-${trace}-${span}`,
])('error: %j is none', (text) => {
  expect(parseTraceparent(text)).toBeNull()
})

test('error: what is no text is none', () => {
  for (const value of [undefined, null, 1, [], [`00-${trace}-${span}-01`]]) {
    expect(parseTraceparent(value as never)).toBeNull()
  }
})

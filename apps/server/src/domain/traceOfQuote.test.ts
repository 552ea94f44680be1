import { expect, test } from '@jest/globals'
import { traceOfQuote } from './traceOfQuote.ts'

const [trace, other] = ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f3577b34da6a3ce929d0e0e4737']
const auction = `00-${trace}-00f067aa0ba902b7-01`
const place = 'b7ad6b7169203331'

test('default: below the span that the quote names', () => {
  expect(traceOfQuote(auction, `00-${trace}-${place}-01`)).toBe(`00-${trace}-${place}-01`)
})

test('behavior: below the auction if the quote names no span', () => {
  expect(traceOfQuote(auction, undefined)).toBe(auction)
})

test('behavior: a quote cannot join another trace', () => {
  expect(traceOfQuote(auction, `00-${other}-${place}-01`)).toBe(auction)
})

test('behavior: below the auction if the backer records no trace', () => {
  expect(traceOfQuote(auction, `00-${trace}-${place}-00`)).toBe(auction)
})

test('behavior: a quote cannot start a trace', () => {
  expect(traceOfQuote(undefined, `00-${trace}-${place}-01`)).toBeUndefined()
})

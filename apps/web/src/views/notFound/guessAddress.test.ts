import { expect, test } from '@jest/globals'
import { guessAddress } from './guessAddress.ts'

const hash = `0x${'1a'.repeat(32)}`
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test.each([
  [`/${hash}`, { kind: 'quote', href: `#/quote/${hash}` }],
  [`/offer/${hash.toUpperCase().replace('0X', '0x')}`, { kind: 'quote', href: `#/quote/${hash}` }],
  [`/${account.toLowerCase()}`, { kind: 'account', href: `#/maker/${account}` }],
  [`/rfq/${'ab'.repeat(16)}`, { kind: 'auction', href: `#/auction/${'ab'.repeat(16)}` }],
  ['/12', { kind: 'position', href: '#/position/12' }],
  ['/positions/7', { kind: 'position', href: '#/position/7' }],
  ['/market', { kind: 'page', href: '#/markets', name: 'markets' }],
  ['/curves', { kind: 'page', href: '#/curve', name: 'curve' }],
] as const)('default: %s', (path, guess) => {
  expect(guessAddress(path)).toEqual(guess)
})

test.each(['/nowhere', '/', '/ma', `/0x${'1a'.repeat(33)}`, `/${'ab'.repeat(17)}`, '/0', '/0x12'])(
  'behavior: %s is nothing known',
  (path) => {
    expect(guessAddress(path)).toBeNull()
  },
)

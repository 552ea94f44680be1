import { expect, test } from '@jest/globals'
import { compareHonest } from './compareHonest.ts'

const usual = {
  ...{ verified: true, refusals: ['OVERLOADED'], quotes: ['0xb0 3000', '0xb1 4000'] },
  best: { notional: 1_000n, cost: 3_000n },
}

test.each<[string, Partial<typeof usual> | null, string[]]>([
  ['the same', {}, []],
  ['an attacker makes it cheaper', { best: { notional: 1_000n, cost: 2_999n } }, []],
  ['it is not opened', null, ['the verified auction 7 was not opened']],
  ['it is unverified', { verified: false }, ['auction 7 was not verified']],
  [
    'it is refused once more',
    { refusals: ['OVERLOADED', 'TOO_MANY_OPEN'] },
    ['the verified auction 7 was refused: OVERLOADED,TOO_MANY_OPEN'],
  ],
  ['a quote is missing', { quotes: ['0xb0 3000'] }, ['the verified auction 7 lacks the quotes 0xb1 4000']],
  ['it costs more', { best: { notional: 1_000n, cost: 3_001n } }, ['the verified auction 7 has a worse best choice']],
  ['it covers less', { best: { notional: 999n, cost: 1n } }, ['the verified auction 7 has a worse best choice']],
])('behavior: compares a verified auction with the one without attacks: %s', (_, change, harms) => {
  const attacked = change === null ? new Map() : new Map([[7, { ...usual, ...change }]])
  expect(compareHonest(new Map([[7, usual]]), attacked)).toEqual(harms)
})

import { expect, test } from '@jest/globals'
import { type Differences, exampleVerdict } from '../../../test/views/acceptance/exampleVerdict.ts'
import { chooseWords } from '../../copy/words.ts'
import { explainChecks, isUpToVisitor } from './explainChecks.ts'

const words = chooseWords(['en-GB'])
const token = { address: `0x${'11'.repeat(20)}`, symbol: 'tUSD', decimals: 6 } as const

function failed(differences: Differences) {
  return explainChecks(exampleVerdict(differences), token, words).filter(({ ok }) => !ok)
}

test('default: six checks in their order, all of them with what was found', () => {
  const checks = explainChecks(exampleVerdict(), token, words)
  expect(checks.map(({ name }) => name)).toEqual([
    'deadline',
    'nonceAndStatus',
    'makerFunds',
    'terms',
    'preview',
    'borrower',
  ])
  expect(checks.every(({ ok, remedies }) => ok && remedies.length === 0)).toBe(true)
  expect(checks[4]?.finding).toBe('The signature is valid, and the cost is 4,102.64 tUSD.')
  expect(checks[5]?.finding).toBe('You have 6,000,000 tUSD and approved any amount.')
})

test('behavior: too late and nearly too late are different things', () => {
  expect(failed({ deadline: { ok: false, deadline: 1_795_254_700n } })[0]?.finding).toBe('The quote has expired.')
  expect(failed({ deadline: { ok: false, deadline: 1_795_254_800n } })[0]?.finding).toContain(
    'Less than 30 seconds left',
  )
  expect(failed({ deadline: { ok: false, deadline: 1_795_254_820n } })[0]?.finding).toContain(
    'Less than 30 seconds left',
  )
})

test('behavior: how a quote has ended', () => {
  const ending = (status: 'open' | 'filled' | 'cancelled') =>
    failed({ nonceAndStatus: { ok: false, status, rejection: { code: 'QUOTE_FILLED', hash: '0x' } } })[0]
  expect(ending('filled')).toMatchObject({ finding: 'Someone else took it.', code: 'QUOTE_FILLED' })
  expect(ending('cancelled')?.finding).toBe('The maker canceled it.')
  expect(ending('open')?.finding).toContain('withdrew')
})

test('behavior: a smaller quote can be taken by those who say so', () => {
  const [check] = failed({ terms: { ok: false, notional: 200_000_000_000n } })
  expect(check?.finding).toBe("It's for 200,000 tUSD. You requested 250,000 tUSD.")
  expect(check?.remedies).toEqual([{ do: 'takeLess', notional: 200_000_000_000n }])
})

test('behavior: a quote of the right size may differ in something else', () => {
  const [check] = failed({
    terms: {
      ok: false,
      reason: 'It is of another pool.',
      rejection: { code: 'TERMS_MISMATCH', field: 'poolId', value: '0x12', expected: '0x34' },
    },
  })
  expect(check).toMatchObject({
    finding: 'It differs from your request.',
    code: 'TERMS_MISMATCH',
    remedies: [],
  })
})

test('behavior: a quote that fits offers nothing smaller, and names its maturity where it is known', () => {
  const termsOf = (differences: Differences) => explainChecks(exampleVerdict(differences), token, words)[3]
  expect(termsOf({})).toMatchObject({ finding: expect.stringMatching(/^Exactly 250,000 tUSD until 20?/), remedies: [] })
  expect(termsOf({ terms: { seriesExpiry: null } })?.finding).toBe('Exactly 250,000 tUSD.')
})

test('behavior: a maker without the money, and a pool that is not there', () => {
  const short = failed({ makerFunds: { ok: false, balance: 1_000_000n } })[0]
  expect(short?.finding).toBe('The quote needs 250,000 tUSD. The maker has 1 tUSD and approved any amount.')
  const nowhere = failed({ makerFunds: { ok: false, loanToken: null } })[0]
  expect(nowhere?.finding).toBe("This market doesn't exist on this chain.")
})

test('behavior: the contract has the last word, with its own reason', () => {
  const rejection = { code: 'CAPACITY_EXCEEDED', notional: 250_000_000_000n, capacity: 1_000_000n } as const
  const [check] = failed({ preview: { ok: false, contractReason: 'CAPACITY_EXCEEDED', rejection } })
  expect(check?.finding).toBe('Only 1 tUSD is left in this term.')
  expect(failed({ preview: { ok: false } })[0]?.finding).toBe('The contract rejects it without a reason.')
})

test('behavior: what a borrower lacks, and what to do about each', () => {
  const [check] = failed({
    borrower: {
      ok: false,
      balance: 1_000_000n,
      allowance: 0n,
      isOperator: false,
      missing: ['balance', 'allowance', 'operator'],
    },
  })
  expect(check?.finding).toBe(
    "The cost is 4,102.64 tUSD. You have 1 tUSD. You approved 0 tUSD. The cost is 4,102.64 tUSD. You haven't authorized the quote market.",
  )
  expect(check?.remedies).toEqual([
    { do: 'fund', missing: 4_101_637_569n },
    { do: 'approve', amount: 4_102_637_569n },
    { do: 'permit' },
  ])
})

test('behavior: only permissions are up to the visitor: money, and all that others lack, is not', () => {
  const upToVisitor = (differences: Differences) => failed(differences).map(isUpToVisitor)
  expect(upToVisitor({ borrower: { ok: false, missing: ['allowance', 'operator'] } })).toEqual([true])
  expect(upToVisitor({ borrower: { ok: false, missing: ['operator'] } })).toEqual([true])
  expect(upToVisitor({ borrower: { ok: false, missing: ['balance', 'allowance'] } })).toEqual([false])
  expect(upToVisitor({ borrower: { ok: false, missing: [] } })).toEqual([false])
  expect(upToVisitor({ makerFunds: { ok: false } })).toEqual([false])
  expect(upToVisitor({ terms: { ok: false, notional: 1n } })).toEqual([false])
  expect(explainChecks(exampleVerdict(), token, words).some(isUpToVisitor)).toBe(false)
})

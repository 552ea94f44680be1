import { ChainUnavailableError, type SettlementPosition, type SettlementReading } from '@firmquote/sdk'
import type { Job } from '@firmquote/sdk/jobs'
import { describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { nextSettleStep, planSettle, type SettlePlan } from './settleStep.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const bytes = (digit: string): Hex => `0x${digit.repeat(64)}`
const [account, lender, token] = [address('1'), address('2'), address('3')]
const params = { loanToken: token, collateralToken: token, oracle: token, irm: token, lltv: 1n }

const position = (positionId: bigint, state: SettlementPosition['state'], poolId = bytes('a')): SettlementPosition => ({
  ...{
    positionId,
    state,
    poolId,
    seriesKey: bytes('b'),
    expiry: 0n,
    loanToken: token,
    isBorrower: true,
    isMaker: false,
  },
  payout: { toBorrower: 30n, toMaker: 70n },
})

/** A reading with a debt of 100 in the first pool's market, and a debt in the second's. */
function reading(
  positions: readonly SettlementPosition[],
  { credit = 0n, allowance = 0n, debt = 100n, otherDebt = 100n } = {},
): SettlementReading {
  const loan = { kind: 'morphoBlue', lender, params, borrowShares: 1n, ratePerSec: 0n, balance: 500n } as const
  return {
    ...{ account, interestRatePool: address('4'), positions, credits: [{ token, amount: credit }] },
    block: { number: 1n, hash: bytes('0'), timestamp: 1n },
    loans: [
      { poolId: bytes('a'), loan: { ...loan, market: bytes('c'), debt, allowance } },
      { poolId: bytes('d'), loan: { ...loan, market: bytes('e'), debt: otherDebt, allowance } },
    ],
  }
}
const settledBoth = [position(1n, 'settled'), position(2n, 'settled', bytes('d'))]
const payouts = (...ids: bigint[]) => ids.map((positionId) => ({ positionId }))

function plan(given: SettlementReading, { atomic = false, ...history }: Partial<Job> & { atomic?: boolean } = {}) {
  return planSettle(given, { payouts: [], repays: true, last: null, ...history }, atomic)
}
/** The next request's kind and the positions whose payouts can repay debt after it. */
const formsOf = ({ forms }: SettlePlan) =>
  forms.map(({ kind, payouts = [] }) => [kind, ...payouts.map(({ positionId }) => positionId)])

describe('planSettle', () => {
  test('default: one by one, what a call settles or withdraws can repay debt later', () => {
    const first = plan(reading([position(1n, 'due'), position(2n, 'due', bytes('d'))]))
    expect(first.forms).toMatchObject([{ kind: 'settle', repays: false, payouts: payouts(1n) }])
    expect(formsOf(plan(reading(settledBoth, { credit: 60n })))).toEqual([['withdraw', 1n, 2n]])
    expect(plan(reading(settledBoth, { credit: 60n })).forms[0]?.payouts).toEqual(payouts(1n, 2n))
  })

  test.each([
    ['an approval keeps them', {}, [1n, 2n], ['approve', 1n, 2n]],
    ['a repayment uses those in its market', { allowance: 30n }, [1n, 2n], ['repay', 2n]],
    ['all of a debt keeps them until the reset', { debt: 20n, allowance: 21n }, [1n, 2n], ['repay', 1n, 2n]],
    ['the reset after it', { debt: 0n, allowance: 1n }, [1n, 2n], ['reset', 2n]],
    ['the reset of an earlier allowance keeps them', { allowance: 7n }, [1n, 2n], ['reset', 1n, 2n]],
  ])('behavior: of the withdrawn payouts, %s', (_what, change, ids, form) => {
    expect(formsOf(plan(reading(settledBoth, change), { payouts: payouts(...ids) }))).toEqual([form])
  })

  test('behavior: a batch uses all payouts, except those that wait for a checkpoint or were withdrawn before', () => {
    const waiting = { ...position(3n, 'due'), payout: null }
    const { forms, deferred } = plan(reading([...settledBoth, waiting]), { payouts: payouts(1n), atomic: true })
    expect(forms).toMatchObject([
      { kind: 'batch', repays: false, payouts: payouts(1n, 3n) },
      { kind: 'settle', repays: false, payouts: payouts(1n, 3n) },
    ])
    expect(deferred).toEqual([3n])
    const all = plan(reading(settledBoth, { credit: 60n }), { payouts: payouts(1n), atomic: true })
    expect(all.forms[0]).toMatchObject({ kind: 'batch', repays: true, payouts: [] })
    const rest = plan(reading(settledBoth), { payouts: payouts(1n, 2n), atomic: true })
    expect(formsOf(rest)).toEqual([['batch'], ['approve', 1n, 2n]])
  })

  test.each(['failed', 'silent', 'restored', 'refused', 'reverted'] as const)(
    'behavior: after a repayment that was %s, withdrawn payouts repay again only if it cannot be mined',
    (how) => {
      const attempt = { kind: 'repay', quotes: [], repays: true, number: 1, stage: { name: 'asked' } } as const
      const last = { how, attempt, block: null }
      const isOver = how === 'refused' || how === 'reverted'
      const history = { payouts: payouts(1n), last }
      expect(formsOf(plan(reading(settledBoth, { allowance: 30n }), history))).toEqual([[isOver ? 'repay' : 'reset']])
    },
  )

  test('behavior: without repaying, payouts are not kept', () => {
    const repays = false
    expect(formsOf(plan(reading([position(1n, 'due')]), { repays }))).toEqual([['settle']])
    expect(formsOf(plan(reading(settledBoth, { credit: 60n }), { repays }))).toEqual([['withdraw']])
    expect(formsOf(plan(reading(settledBoth, { allowance: 7n }), { repays, payouts: payouts(1n) }))).toEqual([
      ['reset'],
    ])
  })
})

describe('nextSettleStep', () => {
  const due = plan(reading([position(1n, 'due')]))

  test('default: the first call, or all together', () => {
    const stepOf = (given: SettlePlan) => nextSettleStep('ready', { plan: given, error: null }).step
    expect(stepOf(due)).toBe('settle')
    expect(stepOf(plan(reading([position(1n, 'due')]), { atomic: true }))).toBe('settleTogether')
    expect(stepOf(plan(reading(settledBoth, { credit: 30n }), { atomic: true, repays: false }))).toBe('withdraw')
    expect(stepOf(plan(reading(settledBoth), { atomic: true, payouts: payouts(1n) }))).toBe('repayTogether')
    expect(stepOf(plan(reading([position(1n, 'running')])))).toBe('nothing')
  })

  test('behavior: requires a wallet on the right network, then a reading', () => {
    const error = new ChainUnavailableError('no answer')
    expect(nextSettleStep('none', { plan: due, error }).step).toBe('connect')
    expect(nextSettleStep('wrongNetwork', { plan: due, error }).step).toBe('switchNetwork')
    expect(nextSettleStep('connecting', { plan: due, error: null }).step).toBe('wait')
    expect(nextSettleStep('ready', { plan: undefined, error: null }).step).toBe('wait')
    expect(nextSettleStep('ready', { plan: due, error })).toEqual({ step: 'unknown', error })
  })
})

import { describe, expect, test } from '@jest/globals'
import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  type Log,
  pad,
  parseAbi,
} from 'viem'
import { type PlanSettlementOptions, planSettlement, type SettlementCall } from './planSettlement.ts'
import type { Loan, SettlementPosition, SettlementReading } from './readSettlement.ts'
import { repaidAmount } from './repayCalls.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const bytes = (digit: string): Hex => `0x${digit.repeat(64)}`
const [account, lender, token, other, pool] = ['1', '2', '3', '4', '5'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const [firstPool, secondPool, firstMarket, secondMarket] = ['a', 'b', 'c', 'd'].map(bytes) as [Hex, Hex, Hex, Hex]
/** A minute's interest on a debt of 100 is 3 at this rate. */
const ratePerSec = 500_000_000_000_000n

const params = { loanToken: token, collateralToken: other, oracle: other, irm: other, lltv: 1n }
const loan = (change: Partial<Loan> = {}): Loan => ({
  kind: 'morphoBlue',
  lender,
  market: firstMarket,
  params,
  debt: 100n,
  borrowShares: 100_000_000n,
  ratePerSec,
  balance: 1_000n,
  allowance: 0n,
  ...change,
})
const position = (positionId: bigint, change: Partial<SettlementPosition> = {}): SettlementPosition => ({
  positionId,
  state: 'due',
  expiry: 0n,
  poolId: firstPool,
  seriesKey: bytes('e'),
  loanToken: token,
  isBorrower: true,
  isMaker: false,
  payout: { toBorrower: 30n, toMaker: 70n },
  ...change,
})
const paying = (toBorrower: bigint) => ({ payout: { toBorrower, toMaker: 70n } })

/** A reading with one loan. `credit` is that in its token. */
const reading = (
  positions: readonly SettlementPosition[],
  { credit = 0n, ...change }: Partial<SettlementReading> & { credit?: bigint } = {},
): SettlementReading => ({
  account,
  interestRatePool: pool,
  block: { number: 1n, hash: bytes('0'), timestamp: 1n },
  positions,
  credits: [{ token, amount: credit }],
  loans: [{ poolId: firstPool, loan: loan() }],
  ...change,
})
const withLoan = (change: Partial<Loan>) => ({ loans: [{ poolId: firstPool, loan: loan(change) }] })

const repayAbi = parseAbi([
  'struct Params { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }',
  'function repay(Params params, uint256 assets, uint256 shares, address onBehalf, bytes data)',
  'event Repay(bytes32 indexed id, address indexed caller, address indexed onBehalf, uint256 assets, uint256 shares)',
])

/** A call as text: its purpose and what it is for. */
function textOf(call: SettlementCall): string {
  switch (call.purpose) {
    case 'settle':
      return `settle ${call.positionId}`
    case 'withdraw':
      return `withdraw ${call.token === token ? 'token' : 'other'}`
    case 'repay': {
      const { args } = decodeFunctionData({ abi: repayAbi, data: call.data })
      expect([args[0], args[3], args[4], call.to]).toEqual([params, account, '0x', lender])
      return args[2] === 0n ? `repay ${args[1]}` : `repay ${args[1]} and ${args[2]} shares`
    }
    default: {
      const { args } = decodeFunctionData({ abi: erc20Abi, data: call.data })
      expect([args, call.to, call.spender]).toEqual([[lender, call.amount], token, lender])
      return `${call.purpose} ${call.amount}`
    }
  }
}
const planOf = (given: SettlementReading, options: Partial<PlanSettlementOptions> = {}) =>
  planSettlement(given, { repay: true, ...options })
const callsOf = (given: SettlementReading, options: Partial<PlanSettlementOptions> = {}) =>
  planOf(given, options).calls.map(textOf)
/** The calls that concern the lender. */
const lenderCalls = (given: SettlementReading, options: Partial<PlanSettlementOptions> = {}) =>
  callsOf(given, options).filter((text) => !/^(settle|withdraw)/.test(text))

describe('settling and withdrawing', () => {
  test('default: settles what is due, and withdraws each token once', () => {
    const positions = [
      position(1n),
      position(2n, { state: 'settled' }),
      position(3n, { state: 'running' }),
      position(4n),
    ]
    expect(callsOf(reading(positions), { repay: false })).toEqual(['settle 1', 'settle 4', 'withdraw token'])
  })

  test('behavior: withdraws credits, and tokens in which a settlement credits the account', () => {
    const credits = [
      { token, amount: 0n },
      { token: other, amount: 1n },
    ]
    const options = { repay: false }
    expect(callsOf(reading([], { credits }), options)).toEqual(['withdraw other'])
    expect(callsOf(reading([position(1n)], { credits }), options)).toEqual([
      'settle 1',
      'withdraw token',
      'withdraw other',
    ])
    const asMaker = position(1n, { isBorrower: false, isMaker: true })
    expect(callsOf(reading([asMaker]), options)).toEqual(['settle 1', 'withdraw token'])
    expect(callsOf(reading([position(1n, { isBorrower: false })]), options)).toEqual(['settle 1'])
    expect(callsOf(reading([position(1n, { loanToken: other })]), options)).toEqual(['settle 1'])
  })

  test('behavior: without repaying, the lender is not called', () => {
    expect(planOf(reading([position(1n)]), { repay: false })).toMatchObject({ repayments: [], deferred: [] })
    expect(planOf(reading([position(1n, { payout: null })]), { repay: false }).deferred).toEqual([])
    expect(lenderCalls(reading([position(1n)]), { repay: false })).toEqual([])
  })
})

describe('repaying', () => {
  test('default: a part of the debt, with exactly the payout', () => {
    const plan = planOf(reading([position(1n)]))
    expect(plan.calls.map(textOf)).toEqual(['settle 1', 'withdraw token', 'approve 30', 'repay 30'])
    expect(plan.repayments).toEqual([
      { lender, market: firstMarket, loanToken: token, positionIds: [1n], debt: 100n, amount: 30n, all: false },
    ])
    expect(plan.deferred).toEqual([])
  })

  test('default: all of the debt, by shares, with a minute of interest in addition', () => {
    const plan = planOf(reading([position(1n, paying(150n))]))
    expect(plan.repayments).toMatchObject([{ amount: 100n, all: true }])
    expect(lenderCalls(reading([position(1n, paying(150n))]))).toEqual([
      'approve 104',
      'repay 0 and 100000000 shares',
      'reset 0',
    ])
  })

  test.each([
    [99n, ['approve 99', 'repay 99']],
    [100n, ['approve 104', 'repay 0 and 100000000 shares', 'reset 0']],
  ])('behavior: a payout of %s for a debt of 100', (toBorrower, calls) => {
    expect(lenderCalls(reading([position(1n, paying(toBorrower))]))).toEqual(calls)
  })

  test.each([
    [0n, 'approve 100'],
    [3n, 'approve 103'],
    [4n, 'approve 104'],
    [5n, 'approve 104'],
  ])('behavior: with a balance of %s, the margin is at most what the account will hold', (balance, approval) => {
    expect(lenderCalls(reading([position(1n, paying(100n))], withLoan({ balance })))[0]).toBe(approval)
  })

  test('behavior: the margin may come from a credit, a higher payout or the payout as maker', () => {
    const balance = 0n
    const approvalOf = (...given: Parameters<typeof reading>) => lenderCalls(reading(...given))[0]
    const exact = position(1n, paying(100n))
    expect(approvalOf([exact], { ...withLoan({ balance }), credit: 2n })).toBe('approve 102')
    expect(approvalOf([position(1n, paying(101n))], withLoan({ balance }))).toBe('approve 101')
    const asMaker = position(2n, { isBorrower: false, isMaker: true, payout: { toBorrower: 9n, toMaker: 1n } })
    expect(approvalOf([exact, asMaker], withLoan({ balance }))).toBe('approve 101')
  })

  test('behavior: without interest, the margin is one unit', () => {
    expect(lenderCalls(reading([position(1n, paying(100n))], withLoan({ ratePerSec: 0n })))[0]).toBe('approve 101')
  })

  test.each([
    [1n, ['reset 0', 'approve 30', 'repay 30']],
    [29n, ['reset 0', 'approve 30', 'repay 30']],
    [30n, ['repay 30']],
    [31n, ['reset 0', 'approve 30', 'repay 30']],
  ])('behavior: a part, with an allowance of %s', (allowance, calls) => {
    expect(lenderCalls(reading([position(1n)], withLoan({ allowance })))).toEqual(calls)
  })

  test.each([
    [99n, ['reset 0', 'approve 104']],
    [100n, []],
    [104n, []],
    [105n, []],
  ])('behavior: all, with an allowance of %s', (allowance, calls) => {
    const rest = ['repay 0 and 100000000 shares', 'reset 0']
    expect(lenderCalls(reading([position(1n, paying(150n))], withLoan({ allowance })))).toEqual([...calls, ...rest])
  })

  test.each([
    ['no debt', [position(1n)], withLoan({ debt: 0n })],
    ['no loan that could be read', [position(1n)], { loans: [] }],
    ['no payout', [position(1n, paying(0n))], {}],
    ['a payout as maker only', [position(1n, { isBorrower: false, isMaker: true })], {}],
    ['a position that is running', [position(1n, { state: 'running' })], {}],
    ['a credit from elsewhere only', [], { credit: 30n }],
  ])('behavior: nothing, with %s', (_what, positions, change) => {
    const plan = planOf(reading(positions, change))
    expect(plan).toMatchObject({ repayments: [], deferred: [] })
    expect(plan.calls.some(({ purpose }) => purpose === 'repay')).toBe(false)
  })

  test("behavior: nothing in a market until all of its positions' payouts are final", () => {
    const positions = [position(1n), position(2n, { payout: null }), position(3n, { poolId: secondPool })]
    const loans = [
      { poolId: firstPool, loan: loan() },
      { poolId: secondPool, loan: loan({ market: secondMarket }) },
    ]
    const plan = planOf(reading(positions, { loans }))
    expect(plan.repayments).toMatchObject([{ market: secondMarket, amount: 30n, positionIds: [3n] }])
    expect(plan.deferred).toEqual([1n, 2n])
    const running = position(2n, { state: 'running', payout: null })
    expect(planOf(reading([position(1n), running]))).toMatchObject({ repayments: [{ amount: 30n }], deferred: [] })
    expect(planOf(reading([position(1n, { payout: null })], withLoan({ debt: 0n }))).deferred).toEqual([])
  })
})

describe('positions that are settled already', () => {
  const settled = position(1n, { state: 'settled' })

  test('default: repay what the withdrawal pays', () => {
    expect(callsOf(reading([settled], { credit: 30n }))).toEqual(['withdraw token', 'approve 30', 'repay 30'])
    // Not more than their payouts.
    expect(lenderCalls(reading([settled], { credit: 50n }))).toEqual(['approve 30', 'repay 30'])
  })

  test.each([
    [0n, []],
    [1n, ['approve 1', 'repay 1']],
    [29n, ['approve 29', 'repay 29']],
  ])('behavior: with a credit of %s, repay no more than that', (credit, calls) => {
    expect(lenderCalls(reading([settled], { credit }))).toEqual(calls)
  })

  test('behavior: repay from the balance once they are withdrawn', () => {
    const withdrawn = { withdrawn: true }
    expect(callsOf(reading([settled]), withdrawn)).toEqual(['approve 30', 'repay 30'])
    expect(lenderCalls(reading([settled], withLoan({ balance: 20n })), withdrawn)).toEqual(['approve 20', 'repay 20'])
    expect(lenderCalls(reading([settled], { ...withLoan({ balance: 20n }), credit: 5n }), withdrawn)).toEqual([
      'approve 25',
      'repay 25',
    ])
    expect(lenderCalls(reading([settled], withLoan({ balance: 0n })), withdrawn)).toEqual([])
  })

  test('behavior: an allowance left over is reset, if nothing needs it', () => {
    const left = reading([settled], withLoan({ allowance: 30n, debt: 0n }))
    expect(lenderCalls(left, { withdrawn: true })).toEqual(['reset 0'])
    expect(lenderCalls(left)).toEqual([])
    const refused = reading([settled], withLoan({ allowance: 30n }))
    expect(lenderCalls(refused, { withdrawn: true, repay: false })).toEqual(['reset 0'])
    expect(lenderCalls(reading([settled], withLoan({ debt: 0n })), { withdrawn: true })).toEqual([])
  })
})

describe('several markets', () => {
  const [first, second] = [position(1n), position(2n, { poolId: secondPool, ...paying(50n) })]
  const loansOf = (ofFirst: Partial<Loan>, ofSecond: Partial<Loan>) => ({
    loans: [
      { poolId: firstPool, loan: loan(ofFirst) },
      { poolId: secondPool, loan: loan({ market: secondMarket, ...ofSecond }) },
    ],
  })

  test('default: each is repaid with its own payouts, and the former allowance is reset once', () => {
    const allowance = 7n
    expect(lenderCalls(reading([first, second], loansOf({ allowance }, { allowance, debt: 40n })))).toEqual([
      ...['reset 0', 'approve 30', 'repay 30'],
      ...['approve 42', 'repay 0 and 100000000 shares', 'reset 0'],
    ])
  })

  test("behavior: a margin does not use another market's payout", () => {
    const empty = { balance: 0n }
    const given = reading([first, second], loansOf({ ...empty, debt: 30n }, empty))
    expect(lenderCalls(given)).toEqual([
      'approve 30',
      'repay 0 and 100000000 shares',
      'reset 0',
      'approve 50',
      'repay 50',
    ])
    const both = reading([first, second], loansOf({ balance: 2n, debt: 30n }, { balance: 2n, debt: 50n }))
    // One unit of the balance is left for the second margin.
    expect(lenderCalls(both).filter((text) => text.startsWith('approve'))).toEqual(['approve 31', 'approve 51'])
  })

  test('behavior: with less than the payouts, the first market is repaid first', () => {
    const settled = [first, second].map((each) => ({ ...each, state: 'settled' as const }))
    const given = reading(settled, { ...loansOf({}, {}), credit: 45n })
    expect(lenderCalls(given)).toEqual(['approve 30', 'repay 30', 'approve 15', 'repay 15'])
  })

  test('behavior: two pools of one market are one debt', () => {
    const given = reading([first, second], loansOf({}, { market: firstMarket }))
    expect(lenderCalls(given)).toEqual(['approve 80', 'repay 80'])
    expect(planOf(given).repayments).toMatchObject([{ positionIds: [1n, 2n], amount: 80n }])
  })

  test("behavior: a margin may use what another market's payout leaves", () => {
    const given = reading(
      [position(1n, paying(150n)), position(2n, { poolId: secondPool, ...paying(50n) })],
      loansOf({ balance: 0n }, { balance: 0n, debt: 50n }),
    )
    expect(lenderCalls(given).filter((text) => text.startsWith('approve'))).toEqual(['approve 104', 'approve 52'])
  })

  test('behavior: each token has its own funds and allowance', () => {
    const balance = 0n
    const inOther = { ...params, loanToken: other }
    const given = reading(
      [
        { ...first, ...paying(100n) },
        { ...second, loanToken: other, ...paying(100n) },
      ],
      {
        ...loansOf({ balance, allowance: 7n }, { balance, allowance: 7n, params: inOther }),
        credits: [
          { token, amount: 1n },
          { token: other, amount: 2n },
        ],
      },
    )
    const approvals = planOf(given).calls.flatMap((call) =>
      call.purpose === 'reset' || call.purpose === 'approve' ? [[call.purpose, call.token, call.amount]] : [],
    )
    expect(approvals).toEqual([
      ['reset', token, 0n],
      ['approve', token, 101n],
      ['reset', token, 0n],
      ['reset', other, 0n],
      ['approve', other, 102n],
      ['reset', other, 0n],
    ])
  })

  test('behavior: one market that is left alone does not affect the other', () => {
    const given = reading([first, second], loansOf({ debt: 0n, allowance: 7n }, { allowance: 7n }))
    expect(lenderCalls(given)).toEqual(['reset 0', 'approve 50', 'repay 50'])
    expect(lenderCalls(given, { withdrawn: true })).toEqual(['reset 0', 'approve 50', 'repay 50'])
  })
})

describe('repaidAmount', () => {
  const log = (assets: bigint, { from = lender, market = firstMarket, onBehalf = account } = {}): Log => ({
    address: from,
    topics: encodeEventTopics({
      abi: repayAbi,
      eventName: 'Repay',
      args: { id: market, caller: account, onBehalf },
    }) as [Hex, ...Hex[]],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [assets, 1n]),
    blockHash: pad('0x1'),
    blockNumber: 1n,
    blockTimestamp: 1n,
    logIndex: 0,
    transactionHash: pad('0x1'),
    transactionIndex: 0,
    removed: false,
  })

  test("default: the lender's events for the account's debt in the market", () => {
    const logs = [
      log(1n),
      log(2n),
      log(4n, { from: other }),
      log(8n, { market: secondMarket }),
      log(16n, { onBehalf: other }),
    ]
    expect(repaidAmount(logs, { lender, market: firstMarket, account })).toBe(3n)
  })
})

describe('arguments', () => {
  test.each([
    [{}, 'repay'],
    [{ repay: 'yes' }, 'repay'],
    [{ repay: true, withdrawn: 1 }, 'withdrawn'],
    [{ repay: true, fromBalance: true }, 'fromBalance'],
    [null, 'repay'],
  ])('error: options %j', (options, path) => {
    expect(() => planSettlement(reading([]), options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path }),
    )
  })

  test.each([null, {}, { positions: [null] }])('error: a reading %j', (given) => {
    expect(() => planSettlement(given as never, { repay: true })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path: 'reading' }),
    )
    expect(() => repaidAmount(given as never, given as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', path: 'logs' }),
    )
  })
})

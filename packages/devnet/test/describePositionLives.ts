import { indexAtExpiry as coreIndexAtExpiry, type IndexReading, positionPayout } from '@firmquote/core'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { interestRatePoolAbi } from '../src/generated/interestRatePool.ts'
import { type Devnet, startDevnet } from '../src/startDevnet.ts'
import {
  createStage,
  type Holding,
  type LifeMarket,
  type Outcome,
  type Stage,
  startBalance,
  tokenKinds,
} from './positionLives.ts'

const ray = 10n ** 27n
/** Of the fee token, in millionths: 1 %. */
const fee = 10_000n

/** One step of a life. Numbers choose by their remainder, so that every step means something in every state. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      market: fc.constantFrom(0, 1, 2, 3, 3),
      maker: fc.constantFrom(0, 1),
      borrower: fc.constantFrom(0, 1),
      notional: fc.bigInt({ min: 1_000n, max: 10n ** 9n }),
      cost: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1_000n, max: 10n ** 8n })),
      asOperator: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('permit' as const),
      borrower: fc.constantFrom(0, 1),
      approved: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.bigInt({ min: 1n, max: 500n }) }) },
  {
    weight: 3,
    // Parts of a thousand; it may fall, and it may more than double.
    arbitrary: fc.record({
      do: fc.constant('accrue' as const),
      market: fc.constantFrom(0, 1, 2, 3),
      parts: fc.oneof(fc.integer({ min: -20, max: 100 }), fc.constant(2_000)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('checkpoint' as const),
      market: fc.constantFrom(0, 1, 2, 3),
      by: fc.constantFrom(0, 1, 2, 3),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('settle' as const), position: fc.nat(), by: fc.constantFrom(0, 1, 2, 3) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('withdraw' as const),
      credit: fc.nat(),
      by: fc.constantFrom(0, 1, 2, 3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('blacklist' as const),
      account: fc.constantFrom(0, 1, 2, 3),
      listed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      from: fc.constantFrom('nobody' as const, 'nobody' as const, 'receiver' as const, 'sender' as const),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Everything that the lives must have come through, or they prove nothing. */
const everything = [
  'take',
  'take: SERIES_EXPIRED',
  'take: Blacklisted',
  'take: TransferIncomplete',
  'takeFor',
  'takeFor: OperatorNotApproved',
  'checkpoint: first',
  'checkpoint: again',
  'checkpoint: SeriesNotExpired',
  'settle: made the checkpoint',
  'settle: after the checkpoint',
  'settle: PositionAlreadySettled',
  'settle: SeriesNotExpired',
  'settle: PositionNotFound',
  'settle: with a party that the token refuses',
  'settle: no interest',
  'settle: some interest',
  'settle: all of the notional',
  'settle: on Morpho, some interest',
  'withdraw',
  'withdraw: nothing',
  'withdraw: for another account',
  'withdraw: Blacklisted',
  'withdraw: TransferIncomplete',
  'withdraw: less a fee',
]

type Position = {
  id: bigint
  market: number
  maker: number
  borrower: number
  notional: bigint
  cost: bigint
  index: bigint
  settled: boolean
}

/** What a life has come to so far, in raw units: what the chain and the model say alike. */
export type LifeFigures = {
  accounts: readonly Address[]
  tokens: readonly (Holding & { token: Address; lost: readonly bigint[] })[]
  /** The open positions whose payout nothing can change any more: their series have a checkpoint. */
  decided: readonly bigint[]
}

/** Holds what somebody else says of the chain against what a life has come to. */
export type Audit = { check(figures: LifeFigures): Promise<void>; stop(): Promise<void> }

type AuditOptions = { startAudit?: (devnet: Devnet) => Promise<Audit>; mustReach?: readonly string[] }

/** Lives one life, and holds the chain against a model that shares nothing with the contracts. */
async function live(stage: Stage, steps: readonly Step[], reached: Set<string>, audit?: Audit): Promise<void> {
  const { accounts, markets } = stage
  const [operator] = accounts
  let time = await stage.now()
  const next = () => ++time
  const indexes = new Map(markets.map(({ adapter }) => [adapter, ray]))
  const lastOpening: (IndexReading | undefined)[] = []
  const checkpoints: (IndexReading | undefined)[] = []
  const positions: Position[] = []
  const permitted = new Set<number>()
  const blacklisted = new Set<number>()
  let charged: 'nobody' | 'receiver' | 'sender' = 'nobody'
  /** What fees have taken from each account. */
  const lost: Record<LifeMarket['token'], bigint[]> = {
    blacklisting: accounts.map(() => 0n),
    noReturn: accounts.map(() => 0n),
    fee: accounts.map(() => 0n),
  }
  const model: Record<LifeMarket['token'], Holding> = { blacklisting: empty(), noReturn: empty(), fee: empty() }
  function empty() {
    return { owed: 0n, held: 0n, credits: accounts.map(() => 0n), balances: accounts.map(() => startBalance) }
  }

  const addTo = (kind: LifeMarket['token'], of: 'credits' | 'balances', account: number, amount: bigint) => {
    model[kind] = { ...model[kind], [of]: model[kind][of].map((had, at) => (at === account ? had + amount : had)) }
  }
  const lose = (kind: LifeMarket['token'], account: number, amount: bigint) => {
    lost[kind][account] = (lost[kind][account] ?? 0n) + amount
  }
  const move = (kind: LifeMarket['token'], held: bigint, owed: bigint) => {
    model[kind] = { ...model[kind], held: model[kind].held + held, owed: model[kind].owed + owed }
  }
  const feeOf = (kind: LifeMarket['token'], side: 'receiver' | 'sender', amount: bigint) =>
    kind === 'fee' && charged === side ? (amount * fee) / 1_000_000n : 0n
  const refuses = (kind: LifeMarket['token'], account: number) => kind === 'blacklisting' && blacklisted.has(account)

  const check = (what: string, outcome: Outcome, error: string | null, extra?: string) => {
    expect({ what, error: outcome.error }).toEqual({ what, error })
    reached.add(error === null ? what : `${what}: ${error}`)
    if (error === null && extra !== undefined) reached.add(`${what}: ${extra}`)
  }

  const marketOf = (position: number): LifeMarket => markets[position] as LifeMarket

  /** What the contract must take as the first index from the expiry on, in a transaction that made the checkpoint. */
  const noteCheckpoint = (market: number, { receipt, time: at }: Outcome): boolean => {
    const { adapter, seriesKey } = marketOf(market)
    const made = events(receipt, 'SeriesCheckpointed')
    expect(made).toHaveLength(checkpoints[market] ? 0 : 1)
    const [first] = made
    if (!first) return false
    if (adapter) expect(first.args.index).toBe(indexes.get(adapter))
    expect(first.args).toMatchObject({ seriesKey, readAt: at })
    checkpoints[market] = { index: first.args.index, readAt: at }
    return true
  }

  const indexAtExpiry = (market: number): bigint => {
    const [last, first] = [lastOpening[market] as IndexReading, checkpoints[market] as IndexReading]
    if (first.index <= last.index) return last.index
    const share = marketOf(market).expiry - last.readAt
    return last.index + ((first.index - last.index) * share) / (first.readAt - last.readAt)
  }

  async function take(given: Extract<Step, { do: 'take' }>): Promise<void> {
    const market = marketOf(given.market)
    const { token, expiry } = market
    const { notional, cost, maker } = given
    const borrower = 2 + given.borrower
    const at = next()
    const by = given.asOperator ? operator.address : null
    const outcome = await stage.take(at, { market, maker, borrower, notional, vrtAmount: cost }, by)
    const isRefused = refuses(token, maker) || (cost > 0n && refuses(token, borrower))
    const error =
      expiry <= at
        ? 'SERIES_EXPIRED'
        : by && !permitted.has(borrower)
          ? 'OperatorNotApproved'
          : isRefused
            ? 'Blacklisted'
            : feeOf(token, 'receiver', notional) > 0n
              ? 'TransferIncomplete'
              : null
    check(by ? 'takeFor' : 'take', outcome, error)
    if (error !== null) return

    const [opened] = events(outcome.receipt, 'PositionOpened')
    if (opened === undefined) throw new Error('No position was opened.')
    const { positionId: id, index } = opened.args
    if (market.adapter) expect(index).toBe(indexes.get(market.adapter))
    positions.push({ id, market: given.market, maker, borrower, notional, cost, index, settled: false })
    lastOpening[given.market] = { index, readAt: at }
    for (const [payer, amount] of [
      [maker, notional],
      [borrower, cost],
    ] as const) {
      const onTop = feeOf(token, 'sender', amount)
      addTo(token, 'balances', payer, -amount - onTop)
      lose(token, payer, onTop)
    }
    move(token, notional + cost, notional + cost)
    await checkHolding(token)
  }

  async function settle(chosen: number, by: number): Promise<void> {
    const position = positions[chosen]
    const at = next()
    const outcome = await stage.settle(at, accounts[by]?.address ?? operator.address, position?.id ?? 10_000n)
    if (position === undefined) return check('settle', outcome, 'PositionNotFound')
    const { token, expiry, adapter } = marketOf(position.market)
    if (position.settled) return check('settle', outcome, 'PositionAlreadySettled')
    if (at < expiry) return check('settle', outcome, 'SeriesNotExpired')

    const made = outcome.error === null && noteCheckpoint(position.market, outcome)
    check('settle', outcome, null, made ? 'made the checkpoint' : 'after the checkpoint')
    const { notional, cost, index, maker, borrower } = position
    const growth = indexAtExpiry(position.market) - index
    const toBorrower = growth <= 0n ? 0n : growth >= index ? notional : (notional * growth) / index
    const [decided] = events(outcome.receipt, 'PositionSettled')
    expect(decided?.args).toEqual({ positionId: position.id, toBorrower, toMaker: notional - toBorrower + cost })
    checkPrediction(position, { toBorrower, toMaker: notional - toBorrower + cost }, made)
    reached.add(
      `settle: ${toBorrower === 0n ? 'no interest' : toBorrower < notional ? 'some interest' : 'all of the notional'}`,
    )
    if (!adapter && toBorrower > 0n) reached.add('settle: on Morpho, some interest')
    if (refuses(token, maker) || refuses(token, borrower)) reached.add('settle: with a party that the token refuses')
    position.settled = true
    addTo(token, 'credits', borrower, toBorrower)
    addTo(token, 'credits', maker, notional - toBorrower + cost)
    await checkHolding(token)
    if (made) await auditNow()
  }

  /** What the library computes before the settlement is what the contract has paid, with the checkpoint and before it. */
  function checkPrediction(
    { market, notional, cost, index: indexAtOpen }: Position,
    paid: { toBorrower: bigint; toMaker: bigint },
    made: boolean,
  ): void {
    const checkpoint = checkpoints[market] as IndexReading
    const series = { expiry: marketOf(market).expiry, lastOpening: lastOpening[market] as IndexReading }
    const atExpiry = coreIndexAtExpiry({ ...series, checkpoint }, { index: 0n, readAt: time })
    expect(positionPayout({ notional, cost, indexAtOpen }, atExpiry)).toEqual(paid)
    if (made) expect(coreIndexAtExpiry({ ...series, checkpoint: null }, checkpoint)).toBe(atExpiry)
  }

  async function withdraw(kind: LifeMarket['token'], account: number, by: number): Promise<void> {
    const amount = model[kind].credits[account] ?? 0n
    const onTop = feeOf(kind, 'sender', amount)
    const [from, to] = [accounts[by], accounts[account]]
    if (!from || !to) throw new Error('There is no such account.')
    const outcome = await stage.withdraw(next(), from.address, to.address, kind)
    const error =
      amount > 0n && refuses(kind, account)
        ? 'Blacklisted'
        : onTop === 0n
          ? null
          : model[kind].held < amount + onTop
            ? 'ERC20InsufficientBalance'
            : 'TransferIncomplete'
    check('withdraw', outcome, error, amount === 0n ? 'nothing' : by === account ? undefined : 'for another account')
    if (error !== null) return
    const taken = feeOf(kind, 'receiver', amount)
    if (taken > 0n) reached.add('withdraw: less a fee')
    addTo(kind, 'credits', account, -amount)
    addTo(kind, 'balances', account, amount - taken)
    lose(kind, account, taken)
    move(kind, -amount, -amount)
    if (amount > 0n) await checkHolding(kind)
  }

  async function withdrawOne(chosen: number, by: number): Promise<void> {
    const credited = tokenKinds.flatMap((kind) =>
      model[kind].credits.flatMap((amount, account) => (amount > 0n ? [{ kind, account }] : [])),
    )
    // One more than there are, so that now and then there is none.
    const { kind, account } = credited[chosen % (credited.length + 1)] ?? { kind: 'fee', account: by }
    return withdraw(kind, account, by)
  }

  async function perform(given: Step): Promise<void> {
    switch (given.do) {
      case 'take':
        return take(given)
      case 'permit': {
        const borrower = 2 + given.borrower
        const owner = accounts[borrower]?.address ?? operator.address
        check('permit', await stage.setOperator(next(), owner, operator.address, given.approved), null)
        if (given.approved) permitted.add(borrower)
        else permitted.delete(borrower)
        return
      }
      case 'wait':
        time += given.seconds
        return
      case 'accrue': {
        const { adapter } = marketOf(given.market)
        if (!adapter) return
        const index = ((indexes.get(adapter) ?? ray) * BigInt(1_000 + given.parts)) / 1_000n
        indexes.set(adapter, index)
        return check('accrue', await stage.setIndex(next(), adapter, index), null)
      }
      case 'checkpoint': {
        const { seriesKey, expiry } = marketOf(given.market)
        const by = accounts[given.by]?.address ?? operator.address
        const outcome = await stage.checkpoint(next(), by, seriesKey)
        if (outcome.time < expiry) return check('checkpoint', outcome, 'SeriesNotExpired')
        check('checkpoint', outcome, null)
        const isFirst = noteCheckpoint(given.market, outcome)
        reached.add(isFirst ? 'checkpoint: first' : 'checkpoint: again')
        if (isFirst) await auditNow()
        return
      }
      case 'settle':
        // One more than there are, so that now and then there is none.
        return settle(given.position % (positions.length + 1), given.by)
      case 'withdraw':
        return withdrawOne(given.credit, given.by)
      case 'blacklist': {
        const account = accounts[given.account]?.address ?? operator.address
        check('blacklist', await stage.setBlacklisted(next(), account, given.listed), null)
        if (given.listed) blacklisted.add(given.account)
        else blacklisted.delete(given.account)
        return
      }
      case 'charge':
        charged = given.from
        return check(
          'charge',
          await stage.setFees(next(), charged === 'receiver' ? fee : 0n, charged === 'sender' ? fee : 0n),
          null,
        )
    }
  }

  const checkHolding = async (kind: LifeMarket['token']) => {
    const holding = await stage.readHolding(kind)
    expect(holding.held).toBeGreaterThanOrEqual(holding.owed)
    expect(holding).toEqual(model[kind])
    // Premiums, deposits, payouts and withdrawals of all parties come to nothing, to the unit: but for what fees have taken,
    // everything that was there is there.
    const parts = [holding.held, ...holding.balances, ...lost[kind]]
    expect(parts.reduce((sum, amount) => sum + amount, 0n)).toBe(startBalance * BigInt(accounts.length))
  }
  const auditNow = async () => {
    const decided = positions.filter(({ settled, market }) => !settled && checkpoints[market]).map(({ id }) => id)
    if (audit && decided.length > 0) reached.add('audit: an open position with a checkpoint')
    await audit?.check({
      accounts: accounts.map(({ address }) => address),
      tokens: tokenKinds.map((kind) => ({ ...model[kind], token: stage.tokens[kind], lost: lost[kind] })),
      decided,
    })
  }
  for (const given of steps) await perform(given)
  await auditNow()

  // However it went, at the end everyone gets what is left: first those whom the token lets, then the others too.
  time += 2_000n
  for (const [chosen, { settled }] of positions.entries()) if (!settled) await settle(chosen, chosen % accounts.length)
  const withdrawAll = async () => {
    for (const kind of tokenKinds) for (const account of accounts.keys()) await withdraw(kind, account, account)
  }
  await withdrawAll()
  for (const account of [0, 1, 2, 3] as const) await perform({ do: 'blacklist', account, listed: false })
  await perform({ do: 'charge', from: 'nobody' })
  await withdrawAll()
  for (const kind of tokenKinds) {
    await checkHolding(kind)
    expect(model[kind]).toMatchObject({ held: 0n, owed: 0n })
  }
  await auditNow()
}

function events<const name extends 'PositionOpened' | 'PositionSettled' | 'SeriesCheckpointed'>(
  { logs }: Outcome['receipt'],
  eventName: name,
) {
  return parseEventLogs({ abi: interestRatePoolAbi, logs: logs as unknown as Log[], eventName })
}

/**
 * Lives so many random lives of positions on a real chain.
 *
 * @param startAudit is asked for an audit, which each life calls twice.
 * @param mustReach what the lives must have come through.
 */
export function describePositionLives(
  seed: number,
  lives: number,
  { startAudit, mustReach = everything }: AuditOptions = {},
): void {
  const mostBatches = 4
  const timeout = 60_000 + 5_000 * lives * mostBatches

  describe(`${lives} random lives of positions, seed ${seed}`, () => {
    let devnet: Devnet
    let stage: Stage
    let clean: Hex
    let audit: Audit | undefined
    beforeAll(async () => {
      devnet = await startDevnet()
      stage = await createStage(devnet)
      clean = await devnet.testClient.snapshot()
      audit = await startAudit?.(devnet)
    }, timeout)
    afterAll(async () => {
      await audit?.stop()
      await devnet?.stop()
    })

    test(
      'behavior: nothing is owed that is not held, and nobody gains or loses by when something is called, and by whom',
      async () => {
        const reached = new Set<string>()
        const life = fc.array(step, { minLength: 30, maxLength: 60, size: 'max' })
        const property = fc
          .asyncProperty(life, (steps) => live(stage, steps, reached, audit))
          .afterEach(async () => {
            await devnet.testClient.revert({ id: clean })
            clean = await devnet.testClient.snapshot()
          })
        const missing = () => mustReach.filter((what) => !reached.has(what))
        // Something rare may be missing from a few lives: then more are lived.
        for (let batch = 0; batch === 0 || (batch < mostBatches && missing().length > 0); batch += 1) {
          await fc.assert(property, { seed: seed + batch, numRuns: lives, unbiased: true, endOnFailure: true })
        }
        expect(missing()).toEqual([])
      },
      timeout,
    )
  })
}

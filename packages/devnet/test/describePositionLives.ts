// This file has over 400 lines because every step in a position's life updates the same model.

import { indexAtExpiry as coreIndexAtExpiry, type IndexReading, positionPayout } from '@firmquote/core/chain'
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
  type TokenKind,
  tokenKinds,
} from './positionLives.ts'

const ray = 10n ** 27n
/** The fee token's fee in millionths: 1 %. */
const fee = 10_000n

const account = fc.constantFrom(0, 1, 2, 3)
const either = fc.constantFrom(0, 1)

/**
 * Kinds of steps, with weights. Each number selects an item by its remainder, so that every step is valid in every
 * state.
 */
const step = fc.oneof(
  kind('take', 6, {
    market: fc.constantFrom(0, 1, 2, 3, 3),
    maker: either,
    borrower: either,
    notional: fc.bigInt({ min: 1_000n, max: 10n ** 9n }),
    cost: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1_000n, max: 10n ** 8n })),
    asOperator: fc.boolean(),
  }),
  kind('permit', 2, { borrower: either, approved: fc.constantFrom(true, true, false) }),
  kind('wait', 4, { seconds: fc.bigInt({ min: 1n, max: 500n }) }),
  // Growth in thousandths. The index may fall or more than double.
  kind('accrue', 3, {
    market: fc.constantFrom(0, 1, 2, 3),
    parts: fc.oneof(fc.integer({ min: -20, max: 100 }), fc.constant(2_000)),
  }),
  kind('observe', 4, { market: fc.constantFrom(0, 1, 2, 3), by: account }),
  kind('checkpoint', 2, { market: fc.constantFrom(0, 1, 2, 3), by: account }),
  kind('settle', 6, { position: fc.nat(), by: account }),
  kind('withdraw', 6, { credit: fc.nat(), by: account }),
  kind('blacklist', 2, { account, listed: fc.boolean() }),
  kind('charge', 3, { from: fc.constantFrom<Charged>('nobody', 'nobody', 'receiver', 'sender') }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Charged = 'nobody' | 'receiver' | 'sender'

function kind<const name extends string, Model extends object>(
  name: name,
  weight: number,
  model: { [key in keyof Model]: fc.Arbitrary<Model[key]> },
) {
  return { weight, arbitrary: fc.record(model).map((values) => ({ do: name, ...values })) }
}

/** Events that the lives must cover for the test to be meaningful. */
const everything = [
  'take',
  'take: SERIES_EXPIRED',
  'take: Blacklisted',
  'take: TransferIncomplete',
  'takeFor',
  'takeFor: OperatorNotApproved',
  'observe: before the expiry',
  'observe: first checkpoint',
  'observe: again',
  'checkpoint: first checkpoint',
  'checkpoint: again',
  'checkpoint: SeriesNotExpired',
  'settle: made the checkpoint',
  'settle: after the checkpoint',
  'settle: PositionAlreadySettled',
  'settle: SeriesNotExpired',
  'settle: PositionNotFound',
  'settle: from an observation',
  'settle: from an opening after the observation',
  'settle: from an observation on Morpho',
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

/** A life's totals in raw units, on which the chain and the model agree. */
export type LifeFigures = {
  accounts: readonly Address[]
  tokens: readonly (Holding & { token: Address; lost: readonly bigint[] })[]
  /** Open positions with a final payout, because their series has a checkpoint. */
  decided: readonly bigint[]
}

/** Compares a life's totals with another view of the chain. */
export type Audit = { check(figures: LifeFigures): Promise<void>; stop(): Promise<void> }

type AuditOptions = { startAudit?: (devnet: Devnet) => Promise<Audit>; mustReach?: readonly string[] }

/** Runs a life and compares the chain with a model that shares no code with the contracts. */
async function live(stage: Stage, steps: readonly Step[], reached: Set<string>, audit?: Audit): Promise<void> {
  const { accounts, markets } = stage
  const [operator] = accounts
  let time = await stage.now()
  const next = () => ++time
  const indexes = new Map(markets.map(({ adapter }) => [adapter, ray]))
  const lastOpening: (IndexReading | undefined)[] = []
  const observations: (IndexReading | undefined)[] = []
  const checkpoints: (IndexReading | undefined)[] = []
  const positions: Position[] = []
  const permitted = new Set<number>()
  const blacklisted = new Set<number>()
  let charged: Charged = 'nobody'
  /** Fees paid by each account. */
  const lost = ofEachToken(() => accounts.map(() => 0n))
  const model = ofEachToken(() => ({
    ...{ owed: 0n, held: 0n },
    credits: accounts.map(() => 0n),
    balances: accounts.map(() => startBalance),
  }))

  const add = (amounts: bigint[], account: number, amount: bigint) => {
    amounts[account] = (amounts[account] ?? 0n) + amount
  }
  const deposit = (kind: TokenKind, amount: bigint) => {
    model[kind].held += amount
    model[kind].owed += amount
  }
  const feeOf = (kind: TokenKind, side: 'receiver' | 'sender', amount: bigint) =>
    kind === 'fee' && charged === side ? (amount * fee) / 1_000_000n : 0n
  const refuses = (kind: TokenKind, account: number) => kind === 'blacklisting' && blacklisted.has(account)

  const check = (what: string, outcome: Outcome, error: string | null, extra?: string) => {
    expect({ what, error: outcome.error }).toEqual({ what, error })
    reached.add(error === null ? what : `${what}: ${error}`)
    if (error === null && extra !== undefined) reached.add(`${what}: ${extra}`)
  }

  const addressOf = (account: number): Address => (accounts[account] ?? operator).address
  const marketOf = (position: number): LifeMarket => markets[position] as LifeMarket

  /** If a transaction created the checkpoint, records the index that the contract must use. */
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

  /** Records an observation before the expiry. */
  const noteReading = (market: number, outcome: Outcome): void => {
    check('observe', outcome, null, 'before the expiry')
    const { adapter, seriesKey } = marketOf(market)
    expect(events(outcome.receipt, 'SeriesCheckpointed')).toEqual([])
    const [read] = events(outcome.receipt, 'SeriesObserved')
    if (read === undefined) throw new Error('Nothing was observed.')
    if (adapter) expect(read.args.index).toBe(indexes.get(adapter))
    expect(read.args).toMatchObject({ seriesKey, readAt: outcome.time })
    observations[market] = { index: read.args.index, readAt: outcome.time }
  }

  const lastReading = (market: number): IndexReading => {
    const [opening, observation] = [lastOpening[market] as IndexReading, observations[market]]
    // Readings are at least one second apart.
    return observation === undefined || observation.readAt < opening.readAt ? opening : observation
  }

  const indexAtExpiry = (market: number): bigint => {
    const [last, first] = [lastReading(market), checkpoints[market] as IndexReading]
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
    const error = firstOf([
      ['SERIES_EXPIRED', expiry <= at],
      ['OperatorNotApproved', by !== null && !permitted.has(borrower)],
      ['Blacklisted', isRefused],
      ['TransferIncomplete', feeOf(token, 'receiver', notional) > 0n],
    ])
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
      add(model[token].balances, payer, -amount - onTop)
      add(lost[token], payer, onTop)
    }
    deposit(token, notional + cost)
    await checkHolding(token)
  }

  async function settle(chosen: number, by: number): Promise<void> {
    const position = positions[chosen]
    const at = next()
    const outcome = await stage.settle(at, addressOf(by), position?.id ?? 10_000n)
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
    noteObservation(position)
    if (refuses(token, maker) || refuses(token, borrower)) reached.add('settle: with a party that the token refuses')
    position.settled = true
    add(model[token].credits, borrower, toBorrower)
    add(model[token].credits, maker, notional - toBorrower + cost)
    await checkHolding(token)
    if (made) await auditNow()
  }

  /** Records whether and how an observation determined the payout. */
  function noteObservation({ market }: Position): void {
    const [opening, observation] = [lastOpening[market] as IndexReading, observations[market]]
    if (observation === undefined) return
    if (observation.readAt < opening.readAt) return void reached.add('settle: from an opening after the observation')
    reached.add('settle: from an observation')
    if (!marketOf(market).adapter) reached.add('settle: from an observation on Morpho')
  }

  /** Expects the library's prediction to equal the contract's payout before and after the checkpoint. */
  function checkPrediction(
    { market, notional, cost, index: indexAtOpen }: Position,
    paid: { toBorrower: bigint; toMaker: bigint },
    made: boolean,
  ): void {
    const checkpoint = checkpoints[market] as IndexReading
    const observation = observations[market] ?? null
    const series = { expiry: marketOf(market).expiry, lastOpening: lastOpening[market] as IndexReading, observation }
    const atExpiry = coreIndexAtExpiry({ ...series, checkpoint }, { index: 0n, readAt: time })
    expect(positionPayout({ notional, cost, indexAtOpen }, atExpiry)).toEqual(paid)
    if (made) expect(coreIndexAtExpiry({ ...series, checkpoint: null }, checkpoint)).toBe(atExpiry)
  }

  async function withdraw(kind: TokenKind, account: number, by: number): Promise<void> {
    const amount = model[kind].credits[account] ?? 0n
    const onTop = feeOf(kind, 'sender', amount)
    const outcome = await stage.withdraw(next(), addressOf(by), addressOf(account), kind)
    const error = firstOf([
      ['Blacklisted', amount > 0n && refuses(kind, account)],
      ['ERC20InsufficientBalance', onTop > 0n && model[kind].held < amount + onTop],
      ['TransferIncomplete', onTop > 0n],
    ])
    check('withdraw', outcome, error, amount === 0n ? 'nothing' : by === account ? undefined : 'for another account')
    if (error !== null) return
    const taken = feeOf(kind, 'receiver', amount)
    if (taken > 0n) reached.add('withdraw: less a fee')
    add(model[kind].credits, account, -amount)
    add(model[kind].balances, account, amount - taken)
    add(lost[kind], account, taken)
    deposit(kind, -amount)
    if (amount > 0n) await checkHolding(kind)
  }

  async function withdrawOne(chosen: number, by: number): Promise<void> {
    const credited = tokenKinds.flatMap((kind) =>
      model[kind].credits.flatMap((amount, account) => (amount > 0n ? [{ kind, account }] : [])),
    )
    // Choose from one more than the number of credits, so that some choices select none.
    const { kind, account } = credited[chosen % (credited.length + 1)] ?? { kind: 'fee', account: by }
    return withdraw(kind, account, by)
  }

  async function perform(given: Step): Promise<void> {
    switch (given.do) {
      case 'take':
        return take(given)
      case 'permit': {
        const borrower = 2 + given.borrower
        const outcome = await stage.setOperator(next(), addressOf(borrower), operator.address, given.approved)
        check('permit', outcome, null)
        return void permitted[given.approved ? 'add' : 'delete'](borrower)
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
      case 'observe':
      case 'checkpoint': {
        const { seriesKey, expiry } = marketOf(given.market)
        const outcome = await stage[given.do](next(), addressOf(given.by), seriesKey)
        if (outcome.time < expiry) {
          if (given.do === 'checkpoint') return check('checkpoint', outcome, 'SeriesNotExpired')
          return noteReading(given.market, outcome)
        }
        check(given.do, outcome, null)
        const isFirst = noteCheckpoint(given.market, outcome)
        reached.add(`${given.do}: ${isFirst ? 'first checkpoint' : 'again'}`)
        if (isFirst) await auditNow()
        return
      }
      case 'settle':
        // Choose from one more than the number of positions, so that some choices select none.
        return settle(given.position % (positions.length + 1), given.by)
      case 'withdraw':
        return withdrawOne(given.credit, given.by)
      case 'blacklist':
        check('blacklist', await stage.setBlacklisted(next(), addressOf(given.account), given.listed), null)
        return void blacklisted[given.listed ? 'add' : 'delete'](given.account)
      case 'charge': {
        charged = given.from
        const [ofReceiver, ofSender] = [charged === 'receiver' ? fee : 0n, charged === 'sender' ? fee : 0n]
        return check('charge', await stage.setFees(next(), ofReceiver, ofSender), null)
      }
    }
  }

  const checkHolding = async (kind: TokenKind) => {
    const holding = await stage.readHolding(kind)
    expect(holding.held).toBeGreaterThanOrEqual(holding.owed)
    expect(holding).toEqual(model[kind])
    // All parties' premiums, deposits, payouts and withdrawals sum to exactly zero, in raw units. Together with the
    // fees, this accounts for all tokens.
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

  // At the end, all accounts withdraw their remaining credits, starting with those whose tokens allow it.
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

/** Returns the first error whose condition holds. */
function firstOf(errors: readonly (readonly [error: string, holds: boolean])[]): string | null {
  return errors.find(([, holds]) => holds)?.[0] ?? null
}

function ofEachToken<Value>(create: () => Value): Record<TokenKind, Value> {
  return { blacklisting: create(), noReturn: create(), fee: create() }
}

function events<const name extends 'PositionOpened' | 'PositionSettled' | 'SeriesCheckpointed' | 'SeriesObserved'>(
  { logs }: Outcome['receipt'],
  eventName: name,
) {
  return parseEventLogs({ abi: interestRatePoolAbi, logs: logs as unknown as Log[], eventName })
}

/**
 * Runs random lives of positions on a real chain.
 *
 * @param startAudit Creates an audit, which each life calls twice.
 * @param mustReach Events that the lives must cover.
 */
export function describePositionLives(
  seed: number,
  lives: number,
  { startAudit, mustReach = everything }: AuditOptions = {},
): void {
  const maxBatches = 4
  const timeout = 60_000 + 5_000 * lives * maxBatches

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
        let lived = 0
        let observed = 0
        const life = fc.array(step, { minLength: 30, maxLength: 60, size: 'max' })
        const property = fc
          .asyncProperty(life, async (steps) => {
            const here = new Set<string>()
            await live(stage, steps, here, audit)
            lived += 1
            if (here.has('settle: from an observation')) observed += 1
            for (const what of here) reached.add(what)
          })
          .afterEach(async () => {
            await devnet.testClient.revert({ id: clean })
            clean = await devnet.testClient.snapshot()
          })
        const missing = () => mustReach.filter((what) => !reached.has(what))
        // Run more lives if the previous lives missed a rare event.
        for (let batch = 0; batch === 0 || (batch < maxBatches && missing().length > 0); batch += 1) {
          await fc.assert(property, { seed: seed + batch, numRuns: lives, unbiased: true, endOnFailure: true })
        }
        process.stdout.write(`position lives: ${lived}, of which ${observed} settled from an observation\n`)
        expect(missing()).toEqual([])
      },
      timeout,
    )
  })
}

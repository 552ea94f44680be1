// Settling and repaying on the real Morpho Blue, sent as a batch and one by one.

import { interestRatePoolAbi, morphoAbi, testTokenAbi } from '@firmquote/devnet'
import { describe, expect, test } from '@jest/globals'
import { type Address, createClient, custom, encodeAbiParameters, keccak256, maxUint256, parseEventLogs } from 'viem'
import { noReturnTokenAbi, noReturnTokenBytecode } from '../../../devnet/test/testContracts.ts'
import {
  belongings,
  borrower,
  debtOf,
  leaveDebt,
  liquidate,
  type Market,
  marketOf,
  mature,
  open,
  type Run,
  repayFor,
  run,
  sendTogether,
  settle,
  sharesOf,
  stranger,
  type Way,
} from '../../test/settlement.ts'
import { devnet, mined, tokens, useTestDevnet } from '../../test/testDevnet.ts'
import { planSettlement } from './planSettlement.ts'
import { readSettlement } from './readSettlement.ts'

useTestDevnet(() => approve(stranger().address, devnet.contracts.loanToken, maxUint256))

async function approve(owner: Address, address: Address, amount: bigint, spender = devnet.contracts.morpho) {
  const account = [...devnet.borrowers, ...devnet.backers, devnet.deployer].find((each) => each.address === owner)
  if (!account) throw new TypeError('the account is unknown')
  // USDT's `approve` returns nothing.
  const abi = noReturnTokenAbi
  return mined(account, { address, abi, functionName: 'approve', args: [spender, amount] })
}

const read = (positionIds: readonly bigint[], change: object = {}) =>
  readSettlement(devnet.publicClient, { account: borrower().address, positionIds, ...change })
const purposesOf = ({ plans }: Run) => plans.at(-1)?.calls.map(({ purpose }) => purpose)
/** The final payouts of the borrower. */
async function payoutOf(...positionIds: bigint[]): Promise<bigint> {
  const { positions } = await read(positionIds)
  return positions.reduce((sum, { payout }) => sum + (payout?.toBorrower ?? -1n), 0n)
}
const notional = tokens(1_000_000)

describe.each<Way>(['together', 'one by one'])('%s', (way) => {
  test('default: a payout below the debt repays exactly that much, and other credits stay', async () => {
    const market = marketOf(0)
    const [position, other] = [await open(market, notional), await open(market, notional)]
    await mature(market)
    await settle(other)
    const payout = await payoutOf(position)
    const [before] = await belongings(market)
    const result = await run(way, [position], [market])
    const [after] = await belongings(market)
    expect(before?.credit).toBe(await payoutOf(other))
    expect(result).toMatchObject({ reverts: 0, repaid: [payout] })
    expect(after).toEqual({
      balance: before && before.balance + before.credit,
      allowance: 0n,
      credit: 0n,
      shares: before && before.shares - result.shares,
    })
    // Morpho rounds the repaid shares down and the debt up.
    expect(BigInt(result.owed[0] ?? 0n) - payout - (await debtOf(market))).toBeGreaterThanOrEqual(-1n)
    expect(BigInt(result.owed[0] ?? 0n) - payout - (await debtOf(market))).toBeLessThanOrEqual(0n)
  })

  test('default: a payout above the debt repays all of it by shares, and no allowance stays', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    await leaveDebt(market, tokens(400))
    const payout = await payoutOf(position)
    const [before] = await belongings(market)
    const result = await run(way, [position], [market])
    expect(result).toMatchObject({ reverts: 0, repaid: result.owed })
    expect(await belongings(market)).toEqual([
      { balance: before && before.balance + payout - (result.owed[0] ?? 0n), allowance: 0n, credit: 0n, shares: 0n },
    ])
    expect(purposesOf(result)?.slice(-3)).toEqual(['approve', 'repay', 'reset'])
  })

  test.each([
    ['partly, below the payout', '0.5', 600n, false],
    ['entirely', '0.05', 'all', true],
  ] as const)('behavior: a debt liquidated meanwhile, %s', async (_what, price, part, isGone) => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const payout = await payoutOf(position)
    await leaveDebt(market, payout + tokens(100))
    const [before] = await belongings(market)
    const result = await run(way, [position], [market], () => liquidate(market, price, part))
    expect(result.reverts).toBe(1)
    expect(result.repaid).toEqual(isGone ? [] : result.owed)
    const repaid = result.repaid[0] ?? 0n
    expect(await belongings(market)).toEqual([
      { balance: before && before.balance + payout - repaid, allowance: 0n, credit: 0n, shares: 0n },
    ])
  })

  test('behavior: a debt repaid meanwhile', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const payout = await payoutOf(position)
    await leaveDebt(market, payout * 2n)
    const [before] = await belongings(market)
    const result = await run(way, [position], [market], async () =>
      repayFor(market, { shares: await sharesOf(market) }),
    )
    expect(result).toMatchObject({ reverts: 1, repaid: [] })
    expect(await belongings(market)).toEqual([
      { balance: before && before.balance + payout, allowance: 0n, credit: 0n, shares: 0n },
    ])
  })

  test.each(['all', 'part'])(
    'behavior: another account repays a share meanwhile, when %s of the debt is repaid',
    async (what) => {
      const market = marketOf(0)
      const position = await open(market, notional)
      await mature(market)
      const payout = await payoutOf(position)
      const isAll = what === 'all'
      await leaveDebt(market, isAll ? tokens(400) : payout + tokens(1))
      const [before] = await belongings(market)
      const result = await run(way, [position], [market], () => repayFor(market, { shares: 1n }))
      expect(result.reverts).toBe(isAll ? 1 : 0)
      expect(result.repaid).toEqual(isAll ? result.owed : [payout])
      const repaid = result.repaid[0] ?? 0n
      const shares = isAll ? 0n : (before?.shares ?? 0n) - 1n - result.shares
      expect(await belongings(market)).toEqual([
        { balance: before && before.balance + payout - repaid, allowance: 0n, credit: 0n, shares },
      ])
    },
  )

  test('behavior: a token like USDT, whose former allowance is reset first', async () => {
    const market = await createMarketLikeUsdt()
    const position = await open(market, notional)
    await mature(market)
    const payout = await payoutOf(position)
    await approve(borrower().address, market.loanToken, 7n)
    const [before] = await belongings(market)
    const result = await run(way, [position], [market])
    expect(result).toMatchObject({ reverts: 0, repaid: [payout] })
    expect(purposesOf(result)?.slice(-3)).toEqual(['reset', 'approve', 'repay'])
    expect(await belongings(market)).toEqual([
      { balance: before?.balance, allowance: 0n, credit: 0n, shares: (before?.shares ?? 0n) - result.shares },
    ])
  })

  test('behavior: a token like USDT, repaid in full', async () => {
    const market = await createMarketLikeUsdt()
    const position = await open(market, notional)
    await mature(market)
    await leaveDebt(market, tokens(200))
    const payout = await payoutOf(position)
    const [before] = await belongings(market)
    const result = await run(way, [position], [market])
    expect(result).toMatchObject({ reverts: 0, repaid: result.owed })
    expect(await belongings(market)).toEqual([
      { balance: before && before.balance + payout - (result.owed[0] ?? 0n), allowance: 0n, credit: 0n, shares: 0n },
    ])
  })

  test("behavior: two pools with one loan token repay each market with its own positions' payouts", async () => {
    const [first, second] = [marketOf(0), marketOf(1)]
    const ids = [await open(first, notional), await open(second, notional), await open(second, notional)]
    await mature(first)
    await mature(second)
    await leaveDebt(first, tokens(300))
    const [ofFirst, ofSecond] = [await payoutOf(...ids.slice(0, 1)), await payoutOf(...ids.slice(1))]
    const [before, other] = await belongings(first, second)
    const result = await run(way, ids, [first, second])
    const [repaidFirst = 0n, repaidSecond = 0n] = result.repaid
    expect(result.reverts).toBe(0)
    expect(repaidSecond).toBe(ofSecond)
    if (way === 'together') expect(repaidFirst).toBe(result.owed[0])
    expect(purposesOf(result)?.slice(-5)).toEqual(['approve', 'repay', 'reset', 'approve', 'repay'])
    const balance = before && before.balance + ofFirst - repaidFirst
    const [after, afterOther] = await belongings(first, second)
    expect(after).toEqual({ balance, allowance: 0n, credit: 0n, shares: 0n })
    expect(afterOther).toMatchObject({ balance, allowance: 0n, credit: 0n })
    expect((other?.shares ?? 0n) - (afterOther?.shares ?? 0n)).toBe(result.shares - (before?.shares ?? 0n))
  })

  test('behavior: a position settled by another account meanwhile', async () => {
    const market = marketOf(0)
    const ids = [await open(market, notional), await open(market, notional)]
    await mature(market)
    const payout = await payoutOf(...ids)
    const [before] = await belongings(market)
    const [first = 0n] = ids
    const meanwhile = way === 'together' ? () => settle(first) : undefined
    const result = await run(way, ids, [market], meanwhile)
    expect(result).toMatchObject({ reverts: way === 'together' ? 1 : 0, repaid: [payout] })
    const shares = (before?.shares ?? 0n) - result.shares
    expect(await belongings(market)).toEqual([{ balance: before?.balance, allowance: 0n, credit: 0n, shares }])
  })
})

/** Creates a market and a pool for a token like USDT, with the borrower's collateral and debt. */
async function createMarketLikeUsdt(): Promise<Market> {
  const { deployer, contracts, publicClient, pools, backers } = devnet
  const { morpho: lender, interestRatePool, morphoAdapter, quoteMarket } = contracts
  const morpho = { address: lender, abi: morphoAbi } as const
  const deployed = await devnet.walletClient(deployer).deployContract({
    abi: noReturnTokenAbi,
    bytecode: noReturnTokenBytecode,
  })
  const loanToken = (await publicClient.waitForTransactionReceipt({ hash: deployed })).contractAddress as Address
  const id = pools[0].market
  const [, collateralToken, oracle, irm, lltv] = await publicClient.readContract({
    ...morpho,
    functionName: 'idToMarketParams',
    args: [id],
  })
  const params = { loanToken, collateralToken, oracle, irm, lltv }
  const { address: from } = borrower()
  const mint = (address: Address, to: Address, amount: bigint) =>
    mined(deployer, { address, abi: testTokenAbi, functionName: 'mint', args: [to, amount] })
  for (const account of [deployer, backers[0], stranger(), borrower()]) {
    await mint(loanToken, account.address, tokens(10_000_000))
  }
  const market = keccak256(
    encodeAbiParameters(
      (['address', 'address', 'address', 'address', 'uint256'] as const).map((type) => ({ type })),
      [loanToken, collateralToken, oracle, irm, lltv],
    ),
  )
  await mined(deployer, { ...morpho, functionName: 'createMarket', args: [params] })
  await approve(deployer.address, loanToken, maxUint256)
  await approve(stranger().address, loanToken, maxUint256)
  await approve(backers[0].address, loanToken, maxUint256, quoteMarket)
  await approve(from, loanToken, tokens(10_000), quoteMarket)
  const supply = [params, tokens(9_000_000), 0n, deployer.address, '0x']
  await mined(deployer, { ...morpho, functionName: 'supply', args: supply })
  const collateral = 10n ** 21n
  await mint(collateralToken, from, collateral)
  await approve(from, collateralToken, collateral)
  await mined(borrower(), { ...morpho, functionName: 'supplyCollateral', args: [params, collateral, from, '0x'] })
  await mined(borrower(), { ...morpho, functionName: 'borrow', args: [params, tokens(600_000), 0n, from, from] })
  const pool = { address: interestRatePool, abi: interestRatePoolAbi }
  const made = await mined(deployer, { ...pool, functionName: 'createPool', args: [loanToken, morphoAdapter, market] })
  const [poolEvent] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PoolCreated', logs: made.logs })
  const poolId = poolEvent?.args.poolId ?? '0x'
  const { expiry } = marketOf(0)
  const opened = await mined(deployer, {
    ...pool,
    functionName: 'createSeries',
    args: [poolId, expiry, tokens(5_000_000)],
  })
  const [series] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'SeriesCreated', logs: opened.logs })
  return { poolId, market, loanToken, seriesKey: series?.args.seriesKey ?? '0x', expiry }
}

describe('without a checkpoint', () => {
  test('default: settles and withdraws first, and repays once the payout is final', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market, false)
    const [before] = await belongings(market)
    const first = planSettlement(await read([position]), { repay: true })
    expect(first.calls.map(({ purpose }) => purpose)).toEqual(['settle', 'withdraw'])
    expect(first).toMatchObject({ repayments: [], deferred: [position] })
    expect((await sendTogether(first.calls)).status).toBe('success')
    const payout = await payoutOf(position)
    const second = planSettlement(await read(first.deferred), { repay: true, withdrawn: true })
    expect(second).toMatchObject({ repayments: [{ amount: payout, all: false }], deferred: [] })
    expect((await sendTogether(second.calls)).status).toBe('success')
    const [after] = await belongings(market)
    expect(after).toMatchObject({ balance: before?.balance, allowance: 0n, credit: 0n })
    // A plan that is repeated repays nothing.
    expect(planSettlement(await read([position]), { repay: true })).toEqual({ calls: [], repayments: [], deferred: [] })
  })
})

describe('if repaying fails', () => {
  test('default: settles and withdraws without it', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    await leaveDebt(market, tokens(400))
    const payout = await payoutOf(position)
    const [before] = await belongings(market)
    const reading = await read([position])
    await repayFor(market, { shares: 1n })
    expect((await sendTogether(planSettlement(reading, { repay: true }).calls)).status).toBe('reverted')
    expect((await sendTogether(planSettlement(reading, { repay: false }).calls)).status).toBe('success')
    expect(await belongings(market)).toMatchObject([{ balance: before && before.balance + payout, allowance: 0n }])
  })
})

describe('readSettlement', () => {
  test('default: positions in their states, credits and the loan, at one block', async () => {
    const [market, later] = [marketOf(0), devnet.pools[0].series[1]]
    const running = await open({ ...market, seriesKey: later?.seriesKey ?? '0x' }, notional)
    const [due, settled] = [await open(market, notional), await open(market, notional)]
    await mature(market)
    await settle(settled)
    const { block, positions, credits, loans } = await read([settled, 999n, due, running, due])
    expect(positions.map(({ positionId, state }) => [positionId, state])).toEqual([
      [settled, 'settled'],
      [due, 'due'],
      [running, 'running'],
    ])
    const [first] = positions
    expect(first).toMatchObject({
      isBorrower: true,
      isMaker: false,
      expiry: market.expiry,
      loanToken: market.loanToken,
    })
    expect(positions[2]?.payout).toBeNull()
    expect(credits).toEqual([{ token: market.loanToken, amount: first?.payout?.toBorrower }])
    expect(block.number).toBe(await devnet.publicClient.getBlockNumber())
    const [entry] = loans
    expect(loans).toHaveLength(1)
    expect(entry?.poolId).toBe(market.poolId)
    expect(entry?.loan).toMatchObject({
      kind: 'morphoBlue',
      lender: devnet.contracts.morpho,
      debt: await debtOf(market),
      borrowShares: await sharesOf(market),
      allowance: 0n,
    })
  })

  test("behavior: the contract's own events confirm both payouts", async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const { positions } = await read([position])
    const [call] = planSettlement(await read([position]), { repay: false }).calls
    const { logs } = await sendTogether(call ? [call] : [])
    const [event] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionSettled', logs })
    expect(event?.args).toEqual({ positionId: position, ...positions[0]?.payout })
  })

  test('behavior: as maker or as neither party, nothing is repaid', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    for (const [account, purposes] of [
      [devnet.backers[0].address, ['settle', 'withdraw']],
      [devnet.borrowers[1].address, ['settle']],
    ] as const) {
      const reading = await read([position], { account })
      expect(reading.loans).toEqual([])
      const { calls, deferred } = planSettlement(reading, { repay: true })
      expect([calls.map(({ purpose }) => purpose), deferred]).toEqual([purposes, []])
    }
  })

  test("behavior: a market that is not the pool's, or that cannot be read, has no repayment", async () => {
    // The pool names another loan token than its market.
    const market = await createMarketLikeUsdt()
    const { interestRatePool: address, morphoAdapter } = devnet.contracts
    const pool = { address, abi: interestRatePoolAbi }
    const wrong = [market.loanToken, morphoAdapter, marketOf(0).market]
    const made = await mined(devnet.deployer, { ...pool, functionName: 'createPool', args: wrong })
    const [created] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PoolCreated', logs: made.logs })
    const poolId = created?.args.poolId ?? '0x'
    const opened = await mined(devnet.deployer, {
      ...pool,
      functionName: 'createSeries',
      args: [poolId, market.expiry, tokens(5_000_000)],
    })
    const [series] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'SeriesCreated', logs: opened.logs })
    const mismatched = { ...market, poolId, seriesKey: series?.args.seriesKey ?? '0x' }
    const ids = [await open(mismatched, notional), await open(marketOf(0), notional)]
    for (const each of [mismatched, marketOf(0)]) await mature(each)
    expect((await read(ids)).loans.map((entry) => entry.poolId)).toEqual([marketOf(0).poolId])
    // A lender without code cannot be read.
    await devnet.testClient.setCode({ address: devnet.contracts.morpho, bytecode: '0xfe' })
    const reading = await read(ids)
    expect(reading.loans).toEqual([])
    const { calls } = planSettlement(reading, { repay: true })
    expect(calls.map(({ purpose }) => purpose)).toEqual(['settle', 'settle', 'withdraw', 'withdraw'])
  })

  test('behavior: reads other tokens, and waits for a block', async () => {
    const wethToken = await collateralOf(marketOf(0))
    const since = (await devnet.publicClient.getBlockNumber()) + 1n
    const reading = read([], { tokens: [wethToken], since })
    await devnet.testClient.mine({ blocks: 1 })
    expect(await reading).toMatchObject({ positions: [], loans: [], credits: [{ token: wethToken, amount: 0n }] })
    expect((await reading).block.number).toBe(since)
  })

  test('error: too many positions, and a chain that cannot be read', async () => {
    const ids = Array.from({ length: 17 }, (_, index) => BigInt(index))
    await expect(read(ids)).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'positionIds' })
    expect((await read(ids.slice(1))).positions).toEqual([])
    await expect(read([], { address: zero })).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'address' })
    const request = async () => Promise.reject(new Error('gone'))
    const broken = createClient({ transport: custom({ request }, { retryCount: 0 }) })
    await expect(readSettlement(broken, { account: borrower().address, positionIds: [1n] })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })
})

const zero = '0x0000000000000000000000000000000000000000'

async function collateralOf({ market }: Market): Promise<Address> {
  const { morpho: address } = devnet.contracts
  const args = [market] as const
  return (
    await devnet.publicClient.readContract({ address, abi: morphoAbi, functionName: 'idToMarketParams', args })
  )[1]
}

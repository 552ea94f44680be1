import { describe, expect, test } from '@jest/globals'
import { createClient, custom, maxUint256 } from 'viem'
import { noReturnTokenAbi } from '../../../devnet/test/testContracts.ts'
import {
  batchingClient,
  belongings,
  borrower,
  leaveDebt,
  liquidate,
  type Market,
  marketOf,
  mature,
  open,
  settle as settleAsStranger,
  stranger,
  type Way,
} from '../../test/settlement.ts'
import { devnet, mined, tokens, useTestDevnet } from '../../test/testDevnet.ts'
import type { SettlementPlan } from './planSettlement.ts'
import { readSettlement } from './readSettlement.ts'
import { SettleInterruptedError, type SettleParameters, settle } from './settle.ts'

useTestDevnet(() =>
  mined(stranger(), {
    ...{ address: devnet.contracts.loanToken, abi: noReturnTokenAbi, functionName: 'approve' },
    args: [devnet.contracts.morpho, maxUint256],
  }),
)

const notional = tokens(1_000_000)
const clientOf = (way: Way) => (way === 'together' ? batchingClient() : devnet.walletClient(borrower()))
const payoutOf = async (...positionIds: bigint[]) => {
  const { positions } = await readSettlement(devnet.publicClient, { account: borrower().address, positionIds })
  return positions.reduce((sum, { payout }) => sum + (payout?.toBorrower ?? 0n), 0n)
}

describe.each<Way>(['together', 'one by one'])('%s', (way) => {
  /** Settles with repayment, and does something between a plan that repays and its sending. */
  const run = async (
    positionIds: readonly bigint[],
    meanwhile?: (plan: SettlementPlan) => Promise<unknown>,
    given: Partial<SettleParameters> = {},
  ) => {
    let plans = 0
    const repaysAt = way === 'together' ? 1 : 2
    const onPlan = async (plan: SettlementPlan) => {
      plans += 1
      if (plans === repaysAt) await meanwhile?.(plan)
    }
    const { publicClient } = devnet
    return {
      ...(await settle(positionIds, { walletClient: clientOf(way), publicClient, repay: true, onPlan, ...given })),
    }
  }

  test('default: several payouts repay a part of the debt, once', async () => {
    const market = marketOf(0)
    const ids = [await open(market, notional), await open(market, notional)]
    await mature(market)
    const payout = await payoutOf(...ids)
    const [before] = await belongings(market)
    const { receipts, withdrawn, repaid, running } = await run(ids)
    expect(withdrawn).toEqual([{ token: market.loanToken, amount: payout }])
    expect(repaid).toMatchObject([{ market: market.market, loanToken: market.loanToken, amount: payout }])
    expect([running, receipts.length]).toEqual([[], way === 'together' ? 1 : 5])
    expect(await belongings(market)).toMatchObject([{ balance: before?.balance, allowance: 0n, credit: 0n }])
    // The payouts are in no credit any more, and the same call sends nothing.
    expect(await run(ids)).toEqual({ receipts: [], withdrawn: [], repaid: [], running: [] })
  })

  test('default: a payout above the debt repays all of it, and a running position is left alone', async () => {
    const market = marketOf(0)
    const [due, running] = [await open(market, notional), await open({ ...market, ...later() }, notional)]
    await mature(market)
    await leaveDebt(market, tokens(400))
    const result = await run([due, running])
    expect(result.running).toEqual([running])
    expect(result.repaid[0]?.amount).toBeGreaterThanOrEqual(tokens(400))
    expect(await belongings(market)).toMatchObject([{ allowance: 0n, credit: 0n, shares: 0n }])
  })

  test('behavior: without a checkpoint, the payout repays once it is final', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market, false)
    const { repaid, withdrawn } = await run([position])
    expect(repaid.map(({ amount }) => amount)).toEqual([await payoutOf(position)])
    expect(withdrawn.map(({ amount }) => amount)).toEqual([await payoutOf(position)])
  })

  test('behavior: without repay, nothing is repaid', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const [before] = await belongings(market)
    expect(await run([position], undefined, { repay: false })).toMatchObject({ repaid: [], withdrawn: [{}] })
    expect(await belongings(market)).toMatchObject([{ shares: before?.shares, credit: 0n }])
  })

  test('behavior: a position settled and a debt liquidated meanwhile', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const payout = await payoutOf(position)
    await leaveDebt(market, payout + tokens(100))
    const { repaid, withdrawn } = await run([position], async () => {
      if (way === 'together') await settleAsStranger(position)
      await liquidate(market, '0.5', 600n)
    })
    expect(withdrawn.map(({ amount }) => amount)).toEqual([payout])
    expect(repaid[0]?.amount).toBeLessThan(payout)
    expect(await belongings(market)).toMatchObject([{ allowance: 0n, credit: 0n, shares: 0n }])
  })

  test('behavior: if the debt falls before every repayment, the payout is withdrawn and no allowance is left', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const payout = await payoutOf(position)
    let plans = 0
    const onPlan = async ({ repayments }: SettlementPlan) => {
      plans += 1
      if (repayments.length > 0 && (way === 'together' || plans > 1)) await leaveDebt(market, payout - tokens(plans))
    }
    await leaveDebt(market, payout + tokens(1))
    const { repaid, withdrawn } = await run([position], undefined, { onPlan })
    expect([repaid, withdrawn.map(({ amount }) => amount)]).toEqual([[], [payout]])
    expect(plans).toBe(way === 'together' ? 4 : 5)
    expect(await belongings(market)).toMatchObject([{ allowance: 0n, credit: 0n }])
  })

  test('behavior: a repayment that reverts does not repeat the one before it', async () => {
    const [first, second] = [marketOf(0), marketOf(1)]
    const [one, other] = [await open(first, notional), await open(second, notional)]
    await mature(first)
    await mature(second)
    const payouts = [await payoutOf(one), await payoutOf(other)] as const
    await leaveDebt(second, payouts[1] + tokens(1))
    const { repaid } = await run([one, other], () => leaveDebt(second, payouts[1] - tokens(1)))
    expect(repaid.find(({ market }) => market === first.market)?.amount).toBe(payouts[0])
    expect(repaid.map(({ market }) => market)).toEqual([first.market, second.market])
    expect(await belongings(first, second)).toMatchObject([{ allowance: 0n }, { allowance: 0n, shares: 0n }])
  })

  test('error: what fails before the first transaction is thrown, later errors list the transactions', async () => {
    const market = marketOf(0)
    const position = await open(market, notional)
    await mature(market)
    const cause = new Error('The user closed the page.')
    const fail = () => Promise.reject(cause)
    const early = run([position], undefined, { onPlan: fail })
    await expect(early).rejects.toBe(cause)
    await expect(run([position, 999n])).rejects.toMatchObject({ code: 'INVALID_INPUT', path: 'positionIds.1' })
    // The node fails after the wallet has sent: the outcome is unknown.
    const request = (call: { method: string }) =>
      call.method === 'eth_getTransactionReceipt' ? Promise.reject(cause) : devnet.publicClient.request(call as never)
    const silent = createClient({ transport: custom({ request }, { retryCount: 0 }), pollingInterval: 20 })
    const unknown = await run([await matured(market)], undefined, { publicClient: silent }).catch((error) => error)
    expect(unknown).toBeInstanceOf(SettleInterruptedError)
    expect(unknown).toMatchObject({ receipts: [] })
    if (way === 'together') return
    const late = await run([position], fail).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(SettleInterruptedError)
    expect(late).toMatchObject({ cause, receipts: [{ status: 'success' }, { status: 'success' }] })
    const payout = await payoutOf(position)
    expect((await run([position])).repaid).toEqual([])
    expect((await run([position], undefined, { withdrawn: true })).repaid).toMatchObject([{ amount: payout }])
  })
})

/** Opens a position in another series, which does not end before the market's, and ends it. */
async function matured(market: Market): Promise<bigint> {
  const series = later()
  const position = await open({ ...market, ...series }, notional)
  await mature({ ...market, ...series })
  return position
}

/** A series of the first pool that ends later. */
function later() {
  const { seriesKey = '0x', expiry = 0 } = devnet.pools[0].series[1] ?? {}
  return { seriesKey, expiry: BigInt(expiry) } as const
}

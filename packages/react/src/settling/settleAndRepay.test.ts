// One press settles, withdraws and repays, on the real Morpho Blue. The service's data is as of before the press.

import '../../test/dom.ts'
import { type AccountPositions, repaidAmount, ServiceClient } from '@firmquote/sdk'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, maxUint256, parseAbi, toFunctionSelector, UserRejectedRequestError } from 'viem'
import {
  belongings,
  borrower,
  leaveDebt,
  type Market,
  marketOf,
  mature,
  open,
  repayFor,
  settle,
  sharesOf,
  stranger,
  type Way,
} from '../../../sdk/test/settlement.ts'
import { devnet, mined, tokens, useTestDevnet } from '../../../sdk/test/testDevnet.ts'
import { createWallet } from '../../test/createWallet.ts'
import { type RenderedHook, renderHook } from '../../test/renderHook.ts'
import { withdrawnAmount } from './readPayment.ts'
import { type SettleResult, useSettle } from './useSettle.ts'

// Runs before the snapshot that a test is reverted to, because a job is kept for each position's number.
beforeEach(() => open(marketOf(0), 1n))

const approval = parseAbi(['function approve(address spender, uint256 amount)'])
// biome-ignore lint/correctness/useHookAtTopLevel: not a React hook.
useTestDevnet(() => {
  const { loanToken: address, morpho } = devnet.contracts
  return mined(stranger(), { address, abi: approval, functionName: 'approve', args: [morpho, maxUint256] })
})

const hooks: RenderedHook<SettleResult>[] = []
afterEach(() => {
  for (const hook of hooks.splice(0)) hook.unmount()
})

let market: Market
let positionId: bigint
beforeEach(async () => {
  market = marketOf(0)
  positionId = await open(market, tokens(1_000_000))
})

const repayWords = 'repay((address,address,address,address,uint256),uint256,uint256,address,bytes)'
const selectors = {
  settle: toFunctionSelector('settle(uint256)'),
  withdraw: toFunctionSelector('withdraw(address)'),
  approve: toFunctionSelector(approval[0]),
  repay: toFunctionSelector(repayWords),
}
type Purpose = keyof typeof selectors

/** Mounts the hook for a position, with a wallet of either kind. `meanwhile` happens before a request is sent. */
async function mount(
  way: Way,
  given: {
    repay?: boolean
    /** All of the account's positions, instead of the test's position. */
    all?: readonly bigint[]
    meanwhile?: { purpose: Purpose; happens: () => Promise<unknown> }
  } = {},
) {
  const { repay = true, all } = given
  let { meanwhile } = given
  const { address } = borrower()
  /** The calls of each request. */
  const requests: Purpose[][] = []
  const wallet = createWallet({
    rpcUrl: devnet.rpcUrl,
    address,
    ...(way === 'together' && { atomic: 'ready' }),
    async beforeSend(params) {
      const [sent] = params as [{ data?: Hex; calls?: { data: Hex }[]; gas?: Hex }]
      const purposes = (sent.calls ?? [sent]).flatMap(({ data = '0x' }) =>
        (Object.keys(selectors) as Purpose[]).filter((purpose) => data.startsWith(selectors[purpose])),
      )
      requests.push(purposes)
      // Without an estimate, a call that fails is mined.
      if (!sent.calls) sent.gas = '0xf4240'
      if (!meanwhile || !purposes.includes(meanwhile.purpose)) return
      const { happens } = meanwhile
      meanwhile = undefined
      await happens()
    },
  })
  const { number } = await devnet.publicClient.getBlock()
  const client = new ServiceClient({ orderbookUrl: 'http://localhost:9' })
  const { loanToken } = market
  client.getHealth = () => Promise.reject(new Error('There is no service.'))
  client.getPositions = async () => {
    const positions = (all ?? [positionId]).map((id) => ({ positionId: id, settleable: true, loanToken }))
    const block = Number(isStale ? number : await devnet.publicClient.getBlockNumber({ cacheTime: 0 }))
    return { positions, withdrawable: [], block, nextCursor: null } as unknown as AccountPositions
  }
  let isStale = true
  const hook = renderHook(() => useSettle({ ...(!all && { positionId }), repay }), { wagmi: wallet.wagmi, client })
  hooks.push(hook)
  await wallet.connect()
  const isAtomic = ({ state }: SettleResult) => way === 'one by one' || state.step !== 'settle'
  const ready = await hook.until((result) => result.isReady && isAtomic(result))
  return {
    ...{ hook, wallet, requests, ready },
    /** Presses, and resolves with the result once the service has caught up. */
    async press() {
      const { mutateAsync } = await hook.until(({ isReady }) => isReady)
      await mutateAsync().finally(() => {
        isStale = false
        return hook.cache.invalidateQueries()
      })
      return hook.until(({ isPending, state }) => !isPending && state.step !== 'wait')
    },
  }
}

/** What the account's transactions withdrew, and repaid in the market. */
function paidBy({ logs, reading }: SettleResult) {
  const { address: account } = borrower()
  const { interestRatePool, morpho: lender } = devnet.contracts
  return {
    withdrawn: withdrawnAmount(logs, { interestRatePool, account, token: market.loanToken }),
    repaid: repaidAmount(logs, { lender, market: market.market, account }),
    payout: reading?.positions[0]?.payout?.toBorrower,
  }
}

const refuse = () => Promise.reject(new UserRejectedRequestError(new Error('The user rejected the request.')))

async function owned() {
  const [found] = await belongings(market)
  if (!found) throw new TypeError('nothing was read')
  return found
}

describe.each<Way>(['together', 'one by one'])('%s', (way) => {
  const isTogether = way === 'together'

  test('default: one press settles, withdraws and repays a part of the debt', async () => {
    await mature(market)
    const { ready, press, requests } = await mount(way)
    const [planned] = ready.repayments
    expect(ready).toMatchObject({ repayments: [{ all: false }], deferred: [] })
    const start = await owned()
    const result = await press()
    const { withdrawn, repaid, payout } = paidBy(result)
    expect([withdrawn, repaid, planned?.amount]).toEqual([payout, payout, payout])
    expect(requests).toEqual(
      isTogether ? [['settle', 'withdraw', 'approve', 'repay']] : [['settle'], ['withdraw'], ['approve'], ['repay']],
    )
    expect(await owned()).toMatchObject({ balance: start.balance, allowance: 0n, credit: 0n })
    expect(result).toMatchObject({ state: { step: 'nothing' }, isReady: false, error: null, repayments: [] })
  })

  test('default: all of the debt, and no allowance is left', async () => {
    await mature(market)
    await leaveDebt(market, tokens(400))
    const { ready, press, requests } = await mount(way)
    expect(ready.repayments).toMatchObject([{ all: true }])
    const start = await owned()
    const { withdrawn, repaid } = paidBy(await press())
    expect(requests.flat()).toEqual(['settle', 'withdraw', 'approve', 'repay', 'approve'])
    expect(requests).toHaveLength(isTogether ? 1 : 5)
    expect(repaid).toBeGreaterThanOrEqual(tokens(400))
    expect(await owned()).toEqual({
      balance: start.balance + (withdrawn ?? 0n) - repaid,
      allowance: 0n,
      credit: 0n,
      shares: 0n,
    })
  })

  test('behavior: without a checkpoint, repays once the settlement has created it', async () => {
    await mature(market, false)
    const { ready, press, requests } = await mount(way)
    expect(ready).toMatchObject({ repayments: [], deferred: [positionId] })
    const { payout, ...paid } = paidBy(await press())
    expect(paid).toEqual({ withdrawn: payout, repaid: payout })
    expect(requests).toHaveLength(isTogether ? 2 : 4)
    expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n })
  })

  test('behavior: without `repay`, only settles and withdraws', async () => {
    await mature(market)
    const { ready, press, requests } = await mount(way, { repay: false })
    expect(ready.repayments).toHaveLength(1)
    const { shares } = await owned()
    const result = await press()
    expect(requests.flat()).toEqual(['settle', 'withdraw'])
    expect(result.state.step).toBe('nothing')
    expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n, shares })
  })

  test('behavior: another account settles meanwhile', async () => {
    await mature(market)
    const meanwhile = { purpose: 'settle', happens: () => settle(positionId) } as const
    const { press, requests } = await mount(way, { meanwhile })
    const first = await press()
    if (!isTogether) {
      expect(first).toMatchObject({ transaction: { state: 'reverted' }, state: { step: 'withdraw' }, isReady: true })
    }
    const { payout, ...paid } = paidBy(isTogether ? first : await press())
    expect(paid).toEqual({ withdrawn: payout, repaid: payout })
    expect(requests.slice(1)).toEqual([['withdraw'], ['approve'], ['repay']])
    expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n })
  })

  test('behavior: if the repayment fails, settles and withdraws apart from it, and leaves no allowance', async () => {
    await mature(market)
    await leaveDebt(market, tokens(400))
    const happens = () => repayFor(market, { shares: 1n })
    const { press, requests } = await mount(way, { meanwhile: { purpose: 'repay', happens } })
    const { balance, shares } = await owned()
    const result = await press()
    const { payout = 0n, withdrawn, repaid } = paidBy(result)
    expect(withdrawn).toBe(payout)
    // After a batch, the debt that is left is repaid one by one, and the rest of the allowance is reset.
    const steps = ['settle', 'withdraw', 'approve', 'repay', 'approve']
    expect(requests.slice(isTogether ? 1 : 4)).toEqual(isTogether ? steps.map((step) => [step]) : [['approve']])
    expect(repaid > 0n).toBe(isTogether)
    expect(await owned()).toEqual({
      ...{ balance: balance + payout - repaid, allowance: 0n, credit: 0n },
      shares: isTogether ? 0n : shares - 1n,
    })
    expect(result.state.step).toBe('nothing')
  })

  test('behavior: the debt is repaid by another account meanwhile', async () => {
    await mature(market)
    const happens = async () => repayFor(market, { shares: await sharesOf(market) })
    const { press } = await mount(way, { meanwhile: { purpose: 'repay', happens } })
    const { balance } = await owned()
    const { payout = 0n } = paidBy(await press())
    expect(await owned()).toEqual({ balance: balance + payout, allowance: 0n, credit: 0n, shares: 0n })
  })

  test('error: after a refusal, another press repays', async () => {
    await mature(market)
    const { press, requests } = await mount(way, { meanwhile: { purpose: 'repay', happens: refuse } })
    await expect(press()).rejects.toThrow('User rejected the request.')
    const { payout, ...paid } = paidBy(await press())
    expect(paid).toEqual({ withdrawn: payout, repaid: payout })
    expect(requests).toHaveLength(isTogether ? 2 : 5)
    expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n })
  })
})

test('behavior: all positions of two markets, at most sixteen in a batch', async () => {
  const other = marketOf(1)
  const ids = [positionId]
  while (ids.length < 16) ids.push(await open(market, tokens(1_000)))
  ids.push(await open(other, tokens(1_000_000)))
  for (const each of [market, other]) await mature(each)
  await leaveDebt(market, tokens(400))
  const { press, requests } = await mount('together', { all: ids })
  const start = await belongings(market, other)
  await press()
  const settled = requests.map((purposes) => purposes.filter((purpose) => purpose === 'settle').length)
  expect(settled).toEqual([16, 1])
  expect(requests[1]).toEqual(['settle', 'withdraw', 'approve', 'repay'])
  const end = await belongings(market, other)
  expect(end).toMatchObject([
    { allowance: 0n, credit: 0n, shares: 0n },
    { allowance: 0n, credit: 0n },
  ])
  expect(end[1]?.shares).toBeLessThan(start[1]?.shares ?? 0n)
})

test('behavior: one by one, an earlier allowance is reset first', async () => {
  await mature(market)
  const { loanToken: address, morpho } = devnet.contracts
  await mined(borrower(), { address, abi: approval, functionName: 'approve', args: [morpho, 7n] })
  const { press, requests } = await mount('one by one')
  const { payout, repaid } = paidBy(await press())
  expect(requests).toEqual([['settle'], ['withdraw'], ['approve'], ['approve'], ['repay']])
  expect(repaid).toBe(payout)
  expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n })
})

test('error: after a refused repayment, the next step without `repay` resets the allowance', async () => {
  await mature(market)
  const refused = await mount('one by one', { meanwhile: { purpose: 'repay', happens: refuse } })
  await expect(refused.press()).rejects.toThrow('User rejected the request.')
  expect((await refused.hook.until(({ isReady }) => isReady)).state.step).toBe('repay')
  refused.hook.unmount()
  const { shares } = await owned()
  const { press, ready } = await mount('one by one', { repay: false })
  expect(ready.state.step).toBe('reset')
  expect((await press()).state.step).toBe('nothing')
  expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n, shares })
})

test('error: a repayment whose outcome is unknown is not repeated', async () => {
  await mature(market)
  const happens = () => Promise.reject(new Error('The wallet is gone.'))
  const { hook, press } = await mount('one by one', { meanwhile: { purpose: 'repay', happens } })
  await expect(press()).rejects.toThrow('The wallet is gone.')
  expect((await hook.until(({ isReady }) => isReady)).state.step).toBe('reset')
  const { shares } = await owned()
  expect((await press()).state.step).toBe('nothing')
  expect(await owned()).toMatchObject({ allowance: 0n, credit: 0n, shares })
})

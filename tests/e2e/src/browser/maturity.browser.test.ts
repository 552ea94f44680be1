import { readFile } from 'node:fs/promises'
import { floatingGrowth } from '@firmquote/core'
import { borrowers, deployer, devnetAddresses, interestRatePoolAbi } from '@firmquote/devnet'
import { formatPrincipal, settleParameters } from '@firmquote/sdk'
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type Hex, parseUnits } from 'viem'
import { listTerms, openPosition, type Term, travelTo } from './demoMarket.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessibleInBoth, expectFits } from './expectAccessible.ts'
import { connectWallet, getQuotes } from './pageActions.ts'

const pool = { address: devnetAddresses.interestRatePool, abi: interestRatePoolAbi } as const
const [bystander, plain, batching] = borrowers
const ray = 10n ** 27n

describeInDemo('after maturity', {}, ({ open, demo, createWallet }) => {
  const notional = 50_000_000_000n
  let running: Term
  let markets: Term[]
  const ids = { running: 0n, plain: [0n, 0n], batching: [0n, 0n] }

  beforeAll(async () => {
    const terms = await listTerms(demo())
    running = terms.at(-1) ?? terms[0]
    markets = (await demo().client.getPoolRates()).flatMap(({ poolId, series: [first] }) =>
      first ? [{ poolId, seriesKey: first.seriesKey, expiry: first.expiry }] : [],
    )
    const [first, second = first] = markets
    if (!first || !second) throw new TypeError('the devnet has too few markets')
    ids.running = await openPosition(demo(), plain, running)
    ids.plain = [await openPosition(demo(), plain, first), await openPosition(demo(), plain, first, 2n * notional)]
    ids.batching = [await openPosition(demo(), batching, first), await openPosition(demo(), batching, second)]
    const others = [await openPosition(demo(), bystander, first), await openPosition(demo(), bystander, second)]
    await openPosition(demo(), bystander, first)
    await travelTo(demo(), Math.max(first.expiry, second.expiry) + 5)
    // Creates the checkpoints.
    for (const positionId of others) {
      await demo().send(deployer, settleParameters({ positionId, interestRatePoolAddress: pool.address }))
    }
    await travelTo(demo(), Math.max(first.expiry, second.expiry) + 60)
  }, 90_000)

  const exact = (amount: bigint) => `${formatPrincipal(amount, 6)} tUSD`
  const eventOf = async (eventName: 'PositionOpened' | 'PositionSettled', positionId: bigint) => {
    const [event] = await demo().chain.getContractEvents({ ...pool, eventName, args: { positionId }, fromBlock: 0n })
    if (!event) throw new TypeError(`there is no ${eventName}`)
    return event
  }
  const paidOf = async (positionIds: readonly bigint[]) => {
    const events = await Promise.all(positionIds.map((id) => eventOf('PositionSettled', id)))
    return events.reduce((sum, { args }) => sum + ('toBorrower' in args ? (args.toBorrower ?? 0n) : 0n), 0n)
  }
  const settleAll = (page: Page) => page.getByRole('button', { name: 'Settle all 2', exact: true })

  test("default: charts the interest and the cost by day, up to the contract's payout at today's rate", async () => {
    const page = await open(`/#/position/${ids.running}`, { wallet: createWallet(plain.address) })
    await connectWallet(page, 'Test Wallet')
    const day = page.getByRole('slider', { name: 'Day' })
    await day.waitFor()
    await page.getByText(/^If it matured today, the payout would be [\d.]+ tUSD: [\d.]+ tUSD less/).waitFor()
    await page.getByText(/^You come out ahead from .+ if the variable rate stays at \d\.\d\d% APY\.$/).waitFor()
    await expectFits(page)
    await expectAccessibleInBoth(page)

    const { block, positions } = await demo().client.getPositions(plain.address)
    const position = positions.find(({ positionId }) => positionId === ids.running)
    const floating = (await demo().client.getPoolRates()).find(({ poolId }) => poolId === running.poolId)?.floating
    if (position?.accrued === undefined || !floating) throw new TypeError('the position is unknown')
    const { timestamp } = await demo().chain.getBlock({ blockNumber: BigInt(block) })
    const growth = floatingGrowth(floating.ratePerSec, running.expiry - Number(timestamp))
    const payout = ((notional + position.accrued) * growth) / ray - notional
    await day.focus()
    await page.keyboard.press('End')
    const [, shown = ''] =
      /, projected, payout ([\d.,]+) tUSD, cost /.exec((await day.getAttribute('aria-valuetext')) ?? '') ?? []
    // The rate may change slightly with a block.
    expect(Math.abs(Number(parseUnits(shown.replaceAll(',', ''), 6)) / Number(payout) - 1)).toBeLessThan(1e-4)
    await page.keyboard.press('Home')
    expect(await day.getAttribute('aria-valuetext')).toMatch(/^\w+.\d+,.\d{4}, payout 0 tUSD, cost 500\.01 tUSD$/)
  })

  test('behavior: one press settles all positions, withdraws and repays in all markets, with one confirmation', async () => {
    const wallet = createWallet(batching.address, { atomic: 'ready' })
    const before = await demo().balanceOf(batching.address)
    const page = await open('/#/positions', { wallet })
    await connectWallet(page, 'Test Wallet')
    await settleAll(page).waitFor()
    await page.getByText(/^One confirmation settles all matured positions/).waitFor()
    await expectFits(page)
    await settleAll(page).click()
    await page.getByRole('heading', { name: 'Paid out' }).waitFor()
    const paid = await paidOf(ids.batching)
    await page.getByText(`You received ${exact(paid)}.`).waitFor()
    for (const id of ids.batching) await page.getByText(`You repaid ${exact(await paidOf([id]))}.`).waitFor()
    expect(await page.getByText(/^You still owe [\d.,]+ tUSD at the variable rate\.$/).count()).toBe(2)
    expect(await page.getByText("The lender can't spend your tokens.").count()).toBe(2)
    expect(await page.getByRole('link', { name: 'Fix again' }).count()).toBe(2)
    expect(wallet.asked('wallet_sendCalls')).toBe(1)
    expect(wallet.calls).not.toContain('eth_sendTransaction')
    expect(await demo().balanceOf(batching.address)).toBe(before)
    await expectFits(page)
  })

  test('behavior: a single matured position is settled only on its own page', async () => {
    const page = await open('/#/positions', { wallet: createWallet(bystander.address) })
    await connectWallet(page, 'Test Wallet')
    const due = page.getByRole('region', { name: 'To settle' }).getByRole('listitem')
    await due.first().waitFor()
    expect(await due.count()).toBe(1)
    expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(0)
  })

  test('behavior: without batches, one press leads to all confirmations, and fixing again starts from the same amount', async () => {
    const wallet = createWallet(plain.address)
    const page = await open('/#/positions', { wallet })
    await connectWallet(page, 'Test Wallet')
    wallet.rejectNext()
    await settleAll(page).click()
    await page.getByText('You declined in your wallet. Nothing was sent.').waitFor()
    await settleAll(page).click()
    await page.getByRole('heading', { name: 'Paid out' }).waitFor()
    await page.getByText(`You repaid ${exact(await paidOf(ids.plain))}.`).waitFor()
    // One was declined. The others settle twice, withdraw, approve and repay.
    expect(wallet.asked('eth_sendTransaction')).toBe(6)

    const again = page.getByRole('link', { name: 'Fix again' })
    await again.click()
    const amount = page.getByRole('textbox', { name: 'Amount to fix' })
    await page.waitForURL(/&notional=150000000000&limit=[1-9]\d+$/)
    await amount.waitFor()
    await expectFits(page)
    await page.reload()
    await amount.waitFor()
    expect(await amount.inputValue()).toBe('150,000')
    // A limit in the address applies if it is lower than the default, and only to its own amount.
    const limitOf = async () => {
      const asked = page.waitForRequest((request) => request.method() === 'POST')
      await getQuotes(page)
      const { maxVrtAmount } = (await asked).postDataJSON()
      await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
      return BigInt(maxVrtAmount)
    }
    const address = page.url()
    const most = BigInt(address.split('limit=')[1] ?? 0)
    expect(await limitOf()).toBeLessThanOrEqual(most)
    await page.goto(address.replace(/limit=.*/, 'limit=5'))
    await amount.waitFor()
    expect(await limitOf()).toBe(5n)
    await page.goto(address.replace(/limit=.*/, 'limit=6'))
    await amount.fill('140k')
    expect(await limitOf()).toBeGreaterThan(6n)
  })

  test('default: saves all positions as CSV, with exact amounts, times and transactions', async () => {
    const page = await open('/#/positions', { wallet: createWallet(plain.address) })
    await connectWallet(page, 'Test Wallet')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^firmquote-${plain.address}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const [head = [], ...rows] = (await readFile(await download.path(), 'utf8'))
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const { positions } = await demo().client.getPositions(plain.address, { status: 'all' })
    expect(rows.map(([id]) => id)).toEqual(positions.map(({ positionId }) => positionId.toString()))
    const timeOf = async (hash: Hex | null) => {
      const { blockNumber } = await demo().chain.getTransactionReceipt({ hash: hash ?? '0x' })
      return new Date(Number((await demo().chain.getBlock({ blockNumber })).timestamp) * 1000).toISOString()
    }
    for (const { positionId, settlement } of positions) {
      const cells = rows.find(([id]) => id === positionId.toString()) ?? []
      const cell = (name: string) => cells[head.indexOf(name)]
      const opened = await eventOf('PositionOpened', positionId)
      expect(cell('Opened by transaction')).toBe(opened.transactionHash)
      expect(cell('Opened at')).toBe(await timeOf(opened.transactionHash))
      expect(cell('Settled by transaction')).toBe(settlement?.transactionHash ?? '')
      expect(cell('Settled at')).toBe(settlement ? await timeOf(settlement.transactionHash) : '')
      expect(parseUnits(cell('Paid to borrower') || '0', 6)).toBe(settlement?.toBorrower ?? 0n)
    }
    await expectFits(page)
  })
})

import { readFile } from 'node:fs/promises'
import { positionPayout } from '@firmquote/core/chain'
import {
  backers,
  borrowers,
  type DevnetAccount,
  deployer,
  devnetAddresses,
  interestRatePoolAbi,
  rateAdapterAbi,
} from '@firmquote/devnet'
import { formatPrincipal, setOperatorParameters, settleParameters } from '@firmquote/sdk'
import { beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { parseUnits } from 'viem'
import { listTerms, openPosition, type Term, travelTo } from './demoMarket.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible, expectFits } from './expectAccessible.ts'
import { connectWallet } from './pageActions.ts'

const pool = { address: devnetAddresses.interestRatePool, abi: interestRatePoolAbi } as const
const [maker] = backers
const [bystander, plain, batching] = borrowers

describeInDemo('a position in the web client, from its opening to its payout', {}, ({ open, demo, createWallet }) => {
  let running: Term
  let maturing: Term
  /** Positions in a matured series, one in an active series, and two in a series that matures in a test. */
  const ids = { plain: 0n, batching: 0n, foreign: 0n, raced: 0n, other: 0n, nothing: 0n, both: 0n, running: 0n }
  const maturingIds = { plain: 0n, other: 0n }

  beforeAll(async () => {
    const terms = await listTerms(demo())
    const [first, second] = terms
    running = terms.at(-1) ?? first
    maturing = second
    const openFor = (account: DevnetAccount, notional?: bigint) => openPosition(demo(), account, first, notional)
    for (const name of ['plain', 'foreign'] as const) ids[name] = await openFor(plain)
    for (const name of ['batching', 'raced'] as const) ids[name] = await openFor(batching)
    // No test withdraws this credit.
    ids.other = await openFor(bystander)
    ids.nothing = await openFor(batching, 1n)
    await demo().send(maker, setOperatorParameters({ approved: true }))
    ids.both = await openFor(maker)
    ids.running = await openPosition(demo(), plain, running)
    maturingIds.plain = await openPosition(demo(), plain, maturing)
    maturingIds.other = await openPosition(demo(), bystander, maturing)
    await travelTo(demo(), first.expiry + 5)
  }, 90_000)

  const exact = (amount: bigint) => `${formatPrincipal(amount, 6)} tUSD`
  const rawOf = (shown: string) => parseUnits(shown.replace(/[^\d.]/g, ''), 6)

  /** Reads the contract's payout for a position. */
  async function paidOf(positionId: bigint) {
    const [event] = await demo().chain.getContractEvents({
      ...pool,
      eventName: 'PositionSettled',
      args: { positionId },
      fromBlock: 0n,
    })
    const { toBorrower, toMaker } = event?.args ?? {}
    if (toBorrower === undefined || toMaker === undefined) throw new TypeError('it is not settled')
    return { toBorrower, toMaker }
  }
  const settleAs = async (account: DevnetAccount, positionId: bigint) => {
    await demo().send(account, settleParameters({ positionId, interestRatePoolAddress: pool.address }))
  }
  const hero = (page: Page, label: string) => page.getByRole('region', { name: label }).locator('dd').first()

  test('behavior: before maturity, shows the payout accrued so far according to the contract, and can be added to a calendar', async () => {
    const page = await open('/#/positions', {
      wallet: createWallet(plain.address),
    })
    await connectWallet(page, 'Test Wallet')
    const row = page.getByRole('region', { name: 'Active' }).locator(`a[href="#/position/${ids.running}"]`)
    await row.waitFor()
    await expectFits(page)
    await row.click()
    await page.getByRole('heading', { level: 1, name: `Position ${ids.running}` }).waitFor()

    const accrued = hero(page, 'Payout so far')
    await accrued.waitFor()
    const shown = rawOf((await accrued.locator('span').first().getAttribute('title')) ?? '')
    // The chain has advanced since the displayed block.
    const [, , openedAt, , poolId, , notional, cost, indexAtOpen] = await demo().chain.readContract({
      ...pool,
      functionName: 'positions',
      args: [ids.running],
    })
    const [, adapter, market] = await demo().chain.readContract({ ...pool, functionName: 'pools', args: [poolId] })
    const index = await demo().chain.readContract({
      address: adapter,
      abi: rateAdapterAbi,
      functionName: 'index',
      args: [market],
    })
    const most = positionPayout({ notional, cost, indexAtOpen }, index).toBorrower
    expect(shown).toBeGreaterThan(0n)
    expect(shown).toBeLessThanOrEqual(most)
    // The position has accrued at least 5 % per year since it was opened.
    const { timestamp } = await demo().chain.getBlock()
    expect(Number(shown) / Number(notional)).toBeGreaterThan((Number(timestamp - openedAt - 60n) / 31_536_000) * 0.05)

    const timeline = page.getByRole('list', { name: 'Timeline' })
    const entries = timeline.getByRole('listitem')
    await entries.filter({ hasText: 'Rate fixed' }).waitFor()
    expect(await entries.count()).toBe(3)
    expect(await entries.nth(0).textContent()).toMatch(/Rate fixed.*You paid 500\.01 tUSD to fix 50,000 tUSD at/)
    expect(await entries.nth(1).textContent()).toMatch(/Today.*Payout so far: about/)
    expect(await entries.nth(2).textContent()).toMatch(/Maturity.*capped at that amount/)
    expect(await page.getByRole('button', { name: /[Ss]ettle|Withdraw/ }).count()).toBe(0)
    await expectFits(page)

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Add to calendar' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`firmquote-position-${ids.running}.ics`)
    const text = await readFile(await download.path(), 'utf8')
    const lines = text.replaceAll('\r\n ', '').split('\r\n')
    const at = new Date(running.expiry * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
    expect(lines).toContain(`DTSTART:${at}Z`)
    expect(lines).toContain('SUMMARY:Fixed rate ends: 50\\,000 tUSD')
    expect(lines).toContain(`URL:${demo().url}/#/position/${ids.running}`)
    expect(lines.filter((line) => /^(?:BEGIN|END):V/.test(line))).toHaveLength(6)
  })

  test('behavior: shortly before maturity, records the rate, and repays exactly what is shown from the checkpoint on', async () => {
    const { expiry, seriesKey } = maturing
    const wallet = createWallet(plain.address)
    await travelTo(demo(), expiry - 3_600)
    const page = await open(`/#/position/${maturingIds.plain}`, { wallet })
    await connectWallet(page, 'Test Wallet')
    await page.getByText(/^The payout is estimated between/).waitFor()
    const opened = (await page.getByText(/^Last recorded: /).textContent()) ?? ''
    await expectFits(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: "Record today's rate" }).click()
    await page.getByText(opened, { exact: true }).waitFor({ state: 'detached' })
    await page.getByText(/^Last recorded: /).waitFor()
    const [, readAt] = await demo().chain.readContract({ ...pool, functionName: 'observations', args: [seriesKey] })
    expect(Number(readAt)).toBeGreaterThan(expiry - 3_600)
    expect(Number(readAt)).toBeLessThan(expiry)
    expect(wallet.asked('eth_sendTransaction')).toBe(1)

    await travelTo(demo(), expiry + 3_600)
    await page.reload()
    await page.getByText(/The payout is not final: the first settlement sets it for everyone/).waitFor()
    expect(await page.getByRole('button', { name: "Record today's rate" }).count()).toBe(0)
    await settleAs(deployer, maturingIds.other)
    await travelTo(demo(), expiry + 86_400)
    await page.reload()
    await page
      .getByText(/ The payout is final\.$/)
      .first()
      .waitFor()
    const shown = (await hero(page, 'Your payout').locator('span').first().getAttribute('title')) ?? ''
    const before = await demo().balanceOf(plain.address)
    await page.getByRole('checkbox', { name: /^Repay [\d,.]+ tUSD of your [\d,.]+ tUSD debt$/ }).waitFor()
    await page.getByText('In two more confirmations: approve the lender, then repay.').waitFor()
    await expectFits(page)
    await expectAccessible(page)
    // One press leads to all four confirmations.
    await page.getByRole('button', { name: 'Settle, withdraw and repay' }).click()
    await page.getByRole('heading', { name: 'Paid out' }).waitFor()
    await page.getByText(`You received ${shown}.`).waitFor()
    await page.getByText(`You repaid ${shown}.`).waitFor()
    expect((await paidOf(maturingIds.plain)).toBorrower).toBe(rawOf(shown))
    expect(wallet.asked('eth_sendTransaction')).toBe(5)
    expect(await demo().balanceOf(plain.address)).toBe(before)
    expect(await demo().allowanceOf(plain.address, devnetAddresses.morpho)).toBe(0n)
  })

  test("default: at maturity, is settled and withdrawn after one press, and pays the contract's amount", async () => {
    const before = await demo().balanceOf(plain.address)
    const wallet = createWallet(plain.address)
    const page = await open('/#/positions', { wallet })
    await connectWallet(page, 'Test Wallet')
    const due = page.getByRole('region', { name: 'To settle' })
    await due.locator(`a[href="#/position/${ids.plain}"]`).click()
    await page.getByRole('checkbox', { name: /^Repay / }).uncheck()
    await page.getByRole('heading', { name: 'Settle and withdraw' }).waitFor()
    const estimate = hero(page, 'Your payout')
    const estimated = (await estimate.locator('span').first().getAttribute('title')) ?? ''
    await expectFits(page)

    wallet.rejectNext()
    const settle = page.getByRole('button', { name: 'Settle and withdraw' })
    await settle.click()
    await page.getByText('You declined in your wallet. Nothing was sent.').waitFor()
    await settle.click()
    await page.getByRole('heading', { name: 'Paid out' }).waitFor()
    const { toBorrower, toMaker } = await paidOf(ids.plain)
    await page.getByText(`You received ${exact(toBorrower)}.`).waitFor()
    expect(await demo().balanceOf(plain.address)).toBe(before + toBorrower)
    // The estimate differs by the interest for the seconds before the settlement.
    expect(Math.abs(Number(rawOf(estimated)) / Number(toBorrower) - 1)).toBeLessThan(0.001)
    await page.getByText(`Exactly ${exact(toBorrower)}.`, { exact: true }).waitFor()
    const entries = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
    await entries.filter({ hasText: 'Withdrawn' }).waitFor()
    expect(await entries.filter({ hasText: 'Settled' }).textContent()).toContain('to the borrower')
    expect(wallet.asked('eth_sendTransaction')).toBe(3)
    await expectFits(page)

    // On a later visit, the page shows the same state, without actions.
    await page.reload()
    await page.getByText(`Exactly ${exact(toBorrower)}.`, { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(?:Settle|Withdraw)/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'All positions' }).click()
    const link = page.locator(`a[href="#/position/${ids.plain}"]`)
    const row = page.getByRole('region', { name: 'Settled' }).getByRole('listitem').filter({ has: link })
    expect(await row.textContent()).toContain('less than the cost')
    expect(toBorrower + toMaker).toBe(50_000_000_000n + 500_000_001n)
  })

  test('behavior: settles, withdraws and repays with one confirmation, with a wallet that batches calls', async () => {
    // Creates the checkpoint.
    await settleAs(deployer, ids.other)
    const wallet = createWallet(batching.address, { atomic: 'ready' })
    const before = await demo().balanceOf(batching.address)
    const page = await open(`/#/position/${ids.batching}`, {
      wallet,
    })
    await connectWallet(page, 'Test Wallet')
    await page.getByText('In the same confirmation.').waitFor()
    await page.getByRole('button', { name: 'Settle, withdraw and repay' }).click()
    await page.getByRole('heading', { name: 'Paid out' }).waitFor()
    const { toBorrower } = await paidOf(ids.batching)
    await page.getByText(`You received ${exact(toBorrower)}.`).waitFor()
    await page.getByText(`You repaid ${exact(toBorrower)}.`).waitFor()
    expect(await demo().balanceOf(batching.address)).toBe(before)
    expect(await demo().allowanceOf(batching.address, devnetAddresses.morpho)).toBe(0n)
    expect(wallet.asked('wallet_sendCalls')).toBe(1)
    expect(wallet.calls).not.toContain('eth_sendTransaction')

    // The same settlement also credited the maker, which only has to withdraw. The withdrawal also includes credits
    // from other settlements.
    const ofMaker = await open(`/#/position/${ids.batching}`, { wallet: createWallet(maker.address) })
    await connectWallet(ofMaker, 'Test Wallet')
    await ofMaker.getByText(/^Settled by 0x/).waitFor()
    const credit = await demo().chain.readContract({
      ...pool,
      functionName: 'credits',
      args: [maker.address, devnetAddresses.loanToken],
    })
    const { toMaker } = await paidOf(ids.batching)
    expect(credit).toBeGreaterThan(toMaker)
    await ofMaker.getByText(/^Includes [\d,.]+ tUSD from other positions\.$/).waitFor()
    await ofMaker.getByRole('button', { name: `Withdraw ${exact(credit)}`, exact: true }).click()
    await ofMaker.getByText(`You received ${exact(credit)}.`).waitFor()
    await ofMaker.getByText(`Exactly ${exact(toMaker)}.`, { exact: true }).waitFor()
    await expectAccessible(ofMaker)
  })

  test('behavior: if another account settled it, says so and offers only the withdrawal, on the right network', async () => {
    await settleAs(deployer, ids.foreign)
    const wallet = createWallet(plain.address)
    const page = await open(`/#/position/${ids.foreign}`, { wallet })
    await connectWallet(page, 'Test Wallet')
    const { toBorrower } = await paidOf(ids.foreign)
    await page.getByRole('heading', { name: 'Withdraw and repay' }).waitFor()
    await page.getByRole('checkbox', { name: /^Repay / }).uncheck()
    const withdraw = page.getByRole('button', { name: `Withdraw ${exact(toBorrower)}`, exact: true })
    await withdraw.waitFor()
    await page.getByText(/^Settled by 0xf39F/).waitFor()
    expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(0)
    await wallet.switchChain(1)
    const change = page.getByRole('button', { name: 'Switch your wallet to Base (8453)' })
    await change.waitFor()
    expect(await withdraw.count()).toBe(0)
    await expectAccessible(page)
    await change.click()
    await withdraw.click()
    await page.getByText(`You received ${exact(toBorrower)}.`).waitFor()

    // The web app must not trust a service that reports the wrong settlement transaction.
    const notConfirmed = page.getByText("The chain doesn't confirm this payout", { exact: true })
    expect(await notConfirmed.count()).toBe(0)
    const [opened] = await demo().chain.getContractEvents({
      ...pool,
      eventName: 'PositionOpened',
      args: { positionId: ids.foreign },
      fromBlock: 0n,
    })
    await page.route('**/api/v1/positions/**', async (route) => {
      const answer = await (await route.fetch()).json()
      for (const { settlement } of answer.positions) {
        if (settlement) settlement.transactionHash = opened?.transactionHash
      }
      await route.fulfill({ json: answer })
    })
    await page.reload()
    await notConfirmed.waitFor()
    await expectAccessible(page)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('behavior: an account on both sides sees its payout for each side', async () => {
    const page = await open(`/#/position/${ids.both}`, {
      wallet: createWallet(maker.address),
    })
    await connectWallet(page, 'Test Wallet')
    const sides = page.getByRole('region', { name: 'Your payout' })
    await sides.filter({ hasText: 'as borrower' }).waitFor()
    await sides.filter({ hasText: 'as maker' }).waitFor()
    const figure = async (side: number) => {
      const title = await sides.nth(side).locator('dd').first().locator('span').first().getAttribute('title')
      return rawOf(title ?? '')
    }
    // The sum is the total stake, which does not depend on the rate.
    expect((await figure(0)) + (await figure(1))).toBe(50_000_000_000n + 500_000_001n)
    await page.getByRole('button', { name: 'Settle and withdraw' }).waitFor()
    await expectFits(page)
  })

  test('error: if another account settles first, the batch fails with a reason, and the withdrawal remains', async () => {
    const wallet = createWallet(batching.address, { atomic: 'ready', beforeCalls: () => settleAs(deployer, ids.raced) })
    const page = await open(`/#/position/${ids.raced}`, { wallet })
    await connectWallet(page, 'Test Wallet')
    await page.getByRole('checkbox', { name: /^Repay / }).uncheck()
    await page.getByRole('button', { name: 'Settle and withdraw' }).click()
    await page.getByText(/^Failed in block/).waitFor()
    const { toBorrower } = await paidOf(ids.raced)
    const withdraw = page.getByRole('button', { name: `Withdraw ${exact(toBorrower)}`, exact: true })
    await withdraw.waitFor()
    await page.getByText(/^Settled by 0xf39F/).waitFor()
    await expectAccessible(page)
    await withdraw.click()
    await page.getByText(`You received ${exact(toBorrower)}.`).waitFor()

    await page.goto(`${demo().url}/#/position/${ids.nothing}`)
    await page.getByText('No payout').waitFor()
    expect(await page.getByRole('button', { name: /^(?:Settle|Withdraw)/ }).count()).toBe(0)
    await page.goto(`${demo().url}/#/position/${ids.plain}`)
    await page.getByText('Position not found').waitFor()
    await page.goto(`${demo().url}/#/position/1e5`)
    await page.getByRole('heading', { level: 1, name: 'Position not found' }).waitFor()
  })
})

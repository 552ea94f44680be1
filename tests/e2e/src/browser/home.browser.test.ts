import { borrowers, devnetAddresses } from '@firmquote/devnet'
import { quoteEffectiveApy, type StoredQuote } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import { erc20Abi } from 'viem'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { paintsOf } from './measurePage.ts'
import { connectWallet } from './pageActions.ts'
import { shownCost } from './shownCost.ts'

const token = 1_000_000n

describeInDemo('the first page', {}, ({ open, demo, createWallet }) => {
  /** Finds the first market's term of about three months, and the available offers. */
  async function usualTerm() {
    const [pool] = await demo().client.getPoolRates()
    const series = pool?.series[2]
    if (!pool || !series) throw new TypeError('the demo has no such term')
    const { quotes } = await demo().client.getQuoteMarketQuotes({ poolId: pool.poolId, sort: 'rate', limit: 100 })
    return { pool, series, quotes: quotes.filter(({ quote }) => quote.seriesKey === series.seriesKey) }
  }

  test("default: the price is firm at exactly an offer's size, and an estimate at every other size", async () => {
    const page = await open('/')
    const { pool, series, quotes } = await usualTerm()
    const cheapest = (notional: bigint) => lowest(quotes.filter(({ quote }) => quote.notional === notional))

    for (const size of [250_000n, 50_000n]) {
      await type(page, size.toLocaleString('en-US'))
      await page.getByText(`A firm offer for exactly ${size.toLocaleString('en-US')} tUSD.`).waitFor()
      const { hash, quote } = cheapest(size * token)
      expect(await figure(page, 'You pay now')).toBe(`${shownCost(quote.vrtAmount)} tUSD`)
      expect(await page.getByRole('link', { name: 'Review it' }).getAttribute('href')).toBe(`#/quote/${hash}`)
    }

    await type(page, '250,000.000001')
    await page.getByText(/^An estimate for .*, from an offer for 250,000 tUSD\./).waitFor()
    // Another millionth of a token costs at most one raw unit more. The displayed cost is the same, but it is marked as
    // an estimate.
    expect(await figure(page, 'You pay now, about')).toBe(
      `${shownCost(cheapest(250_000n * token).quote.vrtAmount)} tUSD`,
    )
    expect(await page.getByText('A firm offer for exactly').count()).toBe(0)

    await type(page, '3m')
    await page.getByText('Three million tUSD').waitFor()
    await page.getByText(/^An estimate for 3,000,000 tUSD, from an offer for 250,000 tUSD\./).waitFor()
    const [rate] = (await figure(page, 'Then fixed at about')).split(' ')
    // The comparison's break-even rate is the fixed rate itself.
    await page.getByText(`Pays off if floating averages above ${rate} APY until`).waitFor()

    await type(page, '250.000')
    await page.getByText('Did you mean 250 or 250,000?').waitFor()
    await page.getByText('Enter an amount to see what fixing it costs').waitFor()
    expect(await labelOf(page, 'You pay now').count()).toBe(0)
    // Without an amount, the page shows no rate.
    const chips = page.getByRole('group', { name: 'Fixed until' })
    expect(await chips.textContent()).not.toContain('%')

    const amount = page.getByRole('textbox', { name: 'Amount to fix' })
    await page.getByRole('button', { name: 'Use 250,000' }).click()
    await page.getByText('A firm offer for exactly 250,000 tUSD.').waitFor()
    expect(await amount.inputValue()).toBe('250,000')
    expect(await amount.evaluate((input) => input === document.activeElement)).toBe(true)

    await type(page, '20m')
    await page.getByText('Only 10,000,000 tUSD can still be fixed until').waitFor()
    await page.getByText(/^An estimate for 10,000,000 tUSD/).waitFor()
    await page.getByRole('link', { name: 'Ask for firm offers' }).click()
    await page.waitForURL(/#\/auction\?/)
    const query = new URLSearchParams(page.url().split('?')[1])
    expect(Object.fromEntries(query)).toEqual({
      pool: pool.poolId,
      series: series.seriesKey,
      notional: (10_000_000n * token).toString(),
    })
  })

  test.each([390, 900, 1920])('behavior: the layout does not shift while the page loads, %d pixels', async (width) => {
    const page = await open('/', { viewport: { width, height: 900 } })
    await labelOf(page, 'You pay now').waitFor()
    await page.waitForLoadState('networkidle')
    expect((await paintsOf(page)).layoutShift).toBeLessThanOrEqual(0.05)
  })

  test('behavior: a loan shows the cost of fixing the rest, the fixed amount, and the distance to liquidation', async () => {
    const page = await open('/')
    await connectWallet(page, 'Demo account')
    const loan = page.getByRole('region', { name: 'tUSD against tWETH' }).first()
    await loan.getByText(/^3,000,0\d\d tUSD, all of it floating$/).waitFor()
    await loan.getByText(/^6\.45% APY floating → about \d\.\d\d% APY fixed$/).waitFor()
    await loan.getByText(/^about \+[\d,]+(\.\d\d)? tUSD against floating, for 9\d days$/).waitFor()
    await loan.getByText(/^There is a firm offer at \d\.\d\d% APY for 50,000 tUSD\. Review it$/).waitFor()
    const health = loan.getByText(/^Liquidated below/)
    expect(await health.textContent()).toMatch(
      /^Liquidated below 1,744\.\d\d tUSD per tWETH \(now 3,000 tUSD\), health 1\.7\d\. Fixing the rate does not change that\.$/,
    )
    const ask = loan.getByRole('link', { name: 'Another amount or a limit' })
    const before = new URLSearchParams((await ask.getAttribute('href'))?.split('?')[1])
    expect(Number(BigInt(before.get('notional') ?? 0n) / token)).toBeGreaterThanOrEqual(3_000_000)
    // Clicks the chip, as visitors do, since its radio button is invisible.
    await loan.getByRole('radio').first().locator('xpath=..').click()
    expect(new URLSearchParams((await ask.getAttribute('href'))?.split('?')[1]).get('series')).not.toBe(
      before.get('series'),
    )

    // The service's own response, with positions added and the collateral removed.
    const fixed = { first: (owed: bigint) => owed / 3n, second: (owed: bigint) => owed - 100n }
    await page.route('**/api/v1/positions/all**', async (route) => {
      const answer = await (await route.fetch()).json()
      const [first, second] = answer.debts
      delete first.oraclePrice
      const position = (debt: { debt: string; poolId: string }, notional: bigint, positionId: string) => ({
        ...{ positionId, role: 'borrower', maker: answer.address, borrower: answer.address, poolId: debt.poolId },
        ...{ seriesKey: `0x${'11'.repeat(32)}`, expiry: Math.floor(Date.now() / 1000) + 86_400 },
        ...{ notional: notional.toString(), cost: '1', openedAtBlock: '1' },
      })
      answer.positions = [
        position(first, fixed.first(BigInt(first.debt)), '1'),
        position(second, fixed.second(BigInt(second.debt)), '2'),
      ]
      await route.fulfill({ json: answer })
    })
    await page.reload()
    await loan.getByText(/^1,000,0\d\d tUSD fixed, 2,000,0\d\d tUSD still floating$/).waitFor()
    await loan.getByText('How close this loan is to liquidation is not known here.').waitFor()
    const other = page.getByRole('region', { name: 'tUSD against tBTC' }).first()
    await other.getByText('Fully fixed').waitFor()
    expect(await other.getByRole('link').count()).toBe(0)

    fixed.second = (owed) => owed + 500_000n * token
    await page.reload()
    await other.getByText('More is fixed than you owe').waitFor()
    await other.getByText(/^500,000 tUSD more than the debt\./).waitFor()
  })

  test('behavior: a loan warns before the request if the account cannot pay the cost or the fee', async () => {
    const [other, borrower] = borrowers
    const token = { address: devnetAddresses.loanToken, abi: erc20Abi, functionName: 'transfer' } as const
    const held = await demo().balanceOf(borrower.address)
    await demo().send(borrower, { ...token, args: [other.address, held] })
    const page = await open('/', { wallet: createWallet(borrower.address) })
    await connectWallet(page, 'Test Wallet')
    await page.getByText('You hold 0 tUSD, which is less than fixing may cost.').first().waitFor()
    await demo().send(other, { ...token, args: [borrower.address, held] })
    await demo().chain.setBalance({ address: borrower.address, value: 1n })
    await page.reload()
    await page.getByText("Your account may have too little ETH for the network's fee.").first().waitFor()
    expect(await page.getByText('which is less than fixing may cost').count()).toBe(0)
    await expectAccessible(page)
  })

  test('behavior: markets show the size of each firm offer', async () => {
    const page = await open('/#/markets')
    const { quotes, series } = await usualTerm()
    const { hash, quote } = lowest(quotes)
    const apy = quoteEffectiveApy(quote, series.expiry, Date.now() / 1000)
    const row = page.getByRole('region', { name: 'tUSD against tWETH' }).getByRole('row').nth(3)
    await row.getByText(`for ${(quote.notional / token).toLocaleString('en-US')} tUSD`).waitFor()
    expect(await row.getByRole('link').first().getAttribute('href')).toBe(`#/quote/${hash}`)
    expect(await row.textContent()).toContain(`${apy?.toFixed(2)}% APY`)
    await page.getByRole('link', { name: 'Recent offers: tUSD against tWETH' }).click()
    await page.waitForURL(/#\/history\?pool=/)
  })
})

async function type(page: Page, amount: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount to fix' }).fill(amount)
}

/** Reads the large figure displayed below a label. */
async function figure(page: Page, label: string): Promise<string> {
  const value = labelOf(page, label).locator('xpath=following-sibling::dd[1]')
  return (await value.textContent()) ?? ''
}

function labelOf(page: Page, label: string): Locator {
  return page.locator('dt').filter({ hasText: new RegExp(`^${label}$`) })
}

function lowest(quotes: readonly StoredQuote[]): StoredQuote {
  const [first] = quotes.toSorted((a, b) => a.apr - b.apr)
  if (!first) throw new TypeError('nobody has published such a quote')
  return first
}

import { borrowers, devnetAddresses, newcomers } from '@firmquote/devnet'
import { quoteEffectiveApy, type StoredQuote } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { erc20Abi } from 'viem'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { paintsOf } from './measurePage.ts'
import { allowAndTake, changeTerms, connectWallet, isFixed, settled } from './pageActions.ts'
import { shownCost } from './shownCost.ts'

const token = 1_000_000n
/** The most words that a state of the newcomer's path shows. */
const most = { visitor: 100, debts: 112, path: 400 }

describeInDemo('the first page', {}, ({ open, demo, createWallet }) => {
  /** Finds the first market's term of about three months, and its published quotes. */
  async function usualTerm() {
    const [pool] = await demo().client.getPoolRates()
    const series = pool?.series[2]
    if (!pool || !series) throw new TypeError('the demo has no such term')
    const { quotes } = await demo().client.getQuoteMarketQuotes({ poolId: pool.poolId, sort: 'rate', limit: 100 })
    return { pool, series, quotes: quotes.filter(({ quote }) => quote.seriesKey === series.seriesKey) }
  }

  test('default: the price is firm at exactly the size of one or several quotes, and an estimate otherwise', async () => {
    const page = await open('/')
    const { pool, series, quotes } = await usualTerm()
    const cheapest = (notional: bigint) => lowest(quotes.filter(({ quote }) => quote.notional === notional))
    const [large, small] = [cheapest(250_000n * token), cheapest(50_000n * token)]
    const main = page.getByRole('main')
    const firm = main.locator('[data-standing=firm]:has(dl)')
    const until = `until ${monthOf(series.expiry)}`

    for (const { quote, hash } of [large, small]) {
      await type(page, (quote.notional / token).toLocaleString('en-US'))
      await main.getByText(`${shownCost(quote.vrtAmount)} tUSD once, ${until}`, { exact: false }).waitFor()
      expect(await firm.getAttribute('data-offer')).toBe(hash)
    }
    await type(page, '300k')
    await main.getByText('2 quotes combined', { exact: true }).waitFor()
    await main
      .getByText(`${shownCost(large.quote.vrtAmount + small.quote.vrtAmount)} tUSD once,`, { exact: false })
      .waitFor()
    expect((await firm.getAttribute('data-offer'))?.split(' ').sort()).toEqual([large.hash, small.hash].sort())

    // A visitor sees a part that is firm, with its size. Without one, the price is an estimate.
    await type(page, '250,000.000001')
    await main.getByText(new RegExp(`^[\\d.,]+ tUSD once for 250,000 tUSD, ${until}`)).waitFor()
    await type(page, '49,999')
    await main.getByText(/^Estimated from an? (?:quote|auction) for/).waitFor()
    await main.getByText(new RegExp(`^About [\\d,]+ tUSD once, ${until}`)).waitFor()
    expect(await main.locator('dd').first().textContent()).toMatch(/^about \d+\.\d% APY$/)
    await main.getByText('Without a wallet, anyone can take the quotes.').waitFor()

    await type(page, '250.000')
    await page.getByText('Did you mean 250 or 250,000?').waitFor()
    await page.getByText('Enter an amount to see its rate').waitFor()
    expect(await main.locator('[data-standing]').count()).toBe(0)
    const amount = page.getByRole('textbox', { name: 'Amount to fix' })
    await page.getByRole('button', { name: 'Use 250,000' }).click()
    await main.getByText(/^Your fixed rate$/).waitFor()
    expect(await amount.inputValue()).toBe('250,000')
    expect(await amount.evaluate((input) => input === document.activeElement)).toBe(true)

    await type(page, '20m')
    await page.getByText('Only 10,000,000 tUSD is available in this term.').waitFor()
    await page.getByRole('button', { name: 'Use 10,000,000' }).click()
    expect(await amount.inputValue()).toBe('10,000,000')
    // The address of a form that is filled in.
    const draft = { pool: pool.poolId, series: series.seriesKey, notional: (300_000n * token).toString() }
    for (const path of ['', 'auction']) {
      await page.goto(`${demo().url}/#/${path}?${new URLSearchParams(draft)}`)
      await main.getByText('2 quotes combined', { exact: true }).waitFor()
      expect(await amount.inputValue()).toBe('300,000')
    }
  })

  test.each([390, 900, 1920])('behavior: the layout does not shift while the page loads, %d pixels', async (width) => {
    const page = await open('/', { viewport: { width, height: 900 } })
    await page.getByText('Your fixed rate', { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    expect((await paintsOf(page)).layoutShift).toBeLessThanOrEqual(0.05)
  })

  test('behavior: a debt shows how much is fixed, its rates, and the distance to liquidation', async () => {
    const page = await open('/')
    const last = (await demo().client.getPoolRates())[0]?.series.at(-1)?.expiry ?? 0
    await connectWallet(page, 'Demo account')
    const debt = page.getByRole('region', { name: 'tUSD against tWETH' })
    await debt.getByText(/^3,000,0\d\d tUSD owed$/).waitFor()
    await debt.getByText('vs 6.45% variable today').waitFor()
    await debt.getByText('Details', { exact: true }).click()
    const details = debt.locator('dl').filter({ hasText: 'Liquidation price' })
    expect(await details.textContent()).toMatch(
      /worth [\d,]+ tUSD.*1,744\.\d\d tUSD per tWETH \(now 3,000 tUSD\).*Health factor1\.7\d/,
    )
    // Clicks the chip, as visitors do, since its radio button is invisible.
    await debt.getByRole('radio').last().locator('xpath=..').click()
    await debt.getByText(new RegExp(`until ${monthOf(last)}\\s\\d+,\\s\\d{4}$`)).waitFor()
    const other = page.getByRole('region', { name: 'tUSD against tBTC' })
    await other.getByText(/^about \d\.\d% fixed$/).waitFor()
    expect(await other.getByRole('button').count()).toBe(0)
    await other.getByRole('heading').click()
    await other.getByRole('button', { name: /^Get quotes/ }).waitFor()

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
    await debt.getByText(/^1,000,0\d\d tUSD of 3,000,0\d\d tUSD fixed$/).waitFor()
    await debt.getByText('Details', { exact: true }).click()
    await debt.getByText('Liquidation data is unavailable. Check it where you borrowed.').waitFor()
    await other.getByText(/^2,000,0\d\d tUSD, fully fixed$/).waitFor()
    expect(await other.getByRole('link').count()).toBe(0)

    fixed.second = (owed) => owed + 500_000n * token
    await page.reload()
    await other.getByText("You've fixed more than you owe. The extra 500,000 tUSD is a bet on rising rates.").waitFor()
    await expectAccessible(page)
  })

  test('behavior: a debt warns before the request if the account cannot pay the cost or the fee', async () => {
    const [other, borrower] = borrowers
    const token = { address: devnetAddresses.loanToken, abi: erc20Abi, functionName: 'transfer' } as const
    const held = await demo().balanceOf(borrower.address)
    await demo().send(borrower, { ...token, args: [other.address, held] })
    const page = await open('/', { wallet: createWallet(borrower.address) })
    await connectWallet(page, 'Test Wallet')
    const poor = page.getByText('You have 0 tUSD', { exact: false }).first()
    await poor.waitFor()
    await demo().send(other, { ...token, args: [borrower.address, held] })
    await demo().chain.setBalance({ address: borrower.address, value: 1n })
    await page.reload()
    await page
      .getByText(/may not have enough ETH/)
      .first()
      .waitFor()
    expect(await poor.count()).toBe(0)
    await expectAccessible(page)
  })

  test('behavior: after the wallet changes its account, the new account can use its wallet at once', async () => {
    const [, first, second] = borrowers
    const wallet = createWallet(first.address)
    const page = await open('/', { wallet })
    await connectWallet(page, 'Test Wallet')
    await changeTerms(page)
    const proof = page.getByText('Prove this account is yours (optional)')
    await proof.waitFor()
    for (const { address } of [second, first]) {
      await wallet.switchAccount(address)
      await page.getByRole('button', { name: new RegExp(`^${address.slice(0, 6)}`, 'i') }).waitFor()
      await changeTerms(page)
      await proof.waitFor()
    }
  })

  test('behavior: the request limits the rate to a quarter of a point above the best known one, or to the typed one', async () => {
    const page = await open('/')
    const { series, quotes } = await usualTerm()
    const { quote } = lowest(quotes.filter(({ quote }) => quote.notional === 50_000n * token))
    const best = quoteEffectiveApy(quote, series.expiry, Date.now() / 1000) ?? 0
    await type(page, '49,999')
    await page.getByText(/^Estimated from an? (?:quote|auction) for/).waitFor()
    const limitOf = async () => {
      const asked = page.waitForRequest((request) => request.method() === 'POST')
      await page.getByRole('button', { name: 'Get quotes (15 s)' }).click()
      const { notional, maxVrtAmount } = (await asked).postDataJSON()
      await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
      const price = { notional: BigInt(notional), vrtAmount: BigInt(maxVrtAmount) }
      return quoteEffectiveApy(price, series.expiry, Date.now() / 1000)
    }
    expect(await limitOf()).toBeCloseTo(best + 0.25, 2)

    await page.goBack()
    await page.getByText('Recent auctions').waitFor()
    await type(page, '49,999')
    await page.getByText('Maximum rate', { exact: true }).first().click()
    const rate = page.getByRole('textbox', { name: 'Maximum rate' })
    await rate.fill('0')
    await page.getByRole('button', { name: 'Get quotes (15 s)' }).click()
    await page.getByText('Enter a rate above zero, or leave this empty.').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await rate.fill('6')
    await page.getByText(/^The best known rate is \d\.\d\d% APY, so you may get no quotes\.$/).waitFor()
    await expectAccessible(page)
    expect(await limitOf()).toBeCloseTo(6, 2)
  })
})

describeInDemo('the path to a fixed rate', {}, ({ open, demo, createWallet }) => {
  test('default: a newcomer fixes a rate with four clicks and few words, at a price that needs no request', async () => {
    const page = await open('/api/v1/health', { viewport: { width: 1440, height: 900 } })
    await page.addInitScript(countClicks)
    const auctions: string[] = []
    page.on('request', (request) => {
      if (/\/rfq$/.test(new URL(request.url()).pathname)) auctions.push(request.url())
    })
    await page.goto(demo().url)
    const firm = page.locator('dl').filter({ hasText: /^Your fixed rate\d\.\d\d% APY/ })
    await firm.waitFor()
    await settled(page)
    const visitor = await wordsOf(page)
    await page.getByRole('main').getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('button', { name: 'Demo account', exact: true }).click()
    const fix = page.getByRole('link', { name: /^Fix [\d,]+ now$/ })
    await fix.waitFor()
    await settled(page)
    const debts = await wordsOf(page)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_800)
    await expectAccessible(page)
    await fix.click()
    await allowAndTake(page).waitFor()
    await settled(page)
    const review = await wordsOf(page)
    await allowAndTake(page).click()
    await isFixed(page)
    const done = await wordsOf(page)
    expect(await page.evaluate(() => (globalThis as unknown as Clicked).clicks)).toBe(4)
    expect(auctions).toEqual([])
    const counted = { visitor, debts, review, done }
    expect({ ...counted, isShort: visitor <= most.visitor && debts <= most.debts }).toEqual({
      ...counted,
      isShort: true,
    })
    const path = Object.values(counted).reduce((sum, count) => sum + count, 0)
    expect({ ...counted, isShort: path <= most.path }).toEqual({ ...counted, isShort: true })
  })

  test('behavior: one press takes two published quotes for all of a debt', async () => {
    const [, , , { address }] = newcomers
    const page = await open('/', { wallet: createWallet(address, { atomic: 'supported' }) })
    await connectWallet(page, 'Test Wallet')
    // The other test takes quotes of the first market.
    const debt = page.getByRole('region', { name: 'tUSD against tBTC' })
    await debt.getByRole('heading').click()
    await debt.getByText('Change amount or set a max rate').click()
    await debt.getByRole('textbox', { name: 'Amount to fix' }).fill('300k')
    await debt.getByText('2 quotes combined', { exact: true }).waitFor()
    await debt.getByRole('link', { name: /^Fix at \d\.\d\d%$/ }).click()
    await page.waitForURL(/#\/quote\/0x[0-9a-f]{64}\?together=0x[0-9a-f]{64},0x[0-9a-f]{64}$/)
    await page.reload()
    await allowAndTake(page).click()
    await isFixed(page)
    const fixed = async () =>
      (await demo().client.getPositions(address)).positions.map(({ notional }) => notional / token)
    await waitUntil(async () => (await fixed()).length === 2)
    expect((await fixed()).sort()).toEqual([250_000n, 50_000n].sort())
  })
})

type Clicked = { clicks: number }

/** Counts the visitor's clicks. Runs in the page. */
function countClicks(): void {
  const counted: Clicked = globalThis as unknown as Clicked
  counted.clicks = 0
  addEventListener('click', ({ isTrusted }) => isTrusted && counted.clicks++, true)
}

/** Counts the words that a state of the page shows, without the options of selects. */
function wordsOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count.
    const count = (element: HTMLElement) => element.innerText.split(/\s+/).filter(Boolean).length
    // Texts for screen readers, the link that appears with the keyboard's focus, and the other options of a select.
    const hidden = [...document.querySelectorAll<HTMLElement>('.unseen, body > #root > button:first-of-type, select')]
    const chosen = [...document.querySelectorAll<HTMLElement>('option:checked')]
    const sum = (elements: HTMLElement[]) =>
      elements.filter((element) => element.checkVisibility()).reduce((words, element) => words + count(element), 0)
    return count(document.body) - sum(hidden) + sum(chosen)
  })
}

async function type(page: Page, amount: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount to fix' }).fill(amount)
}

function lowest(quotes: readonly StoredQuote[]): StoredQuote {
  const [first] = quotes.toSorted((a, b) => a.apr - b.apr)
  if (!first) throw new TypeError('nobody has published such a quote')
  return first
}

/** @param at Unix seconds. @returns the month, as the page abbreviates it. */
function monthOf(at: number): string {
  return new Date(at * 1_000).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
}

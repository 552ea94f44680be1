import { quoteEffectiveApy, toRfqId } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { createAccount } from '../adversarial/owe.ts'
import { describeInDemo } from '../browser/describeInBrowser.ts'
import { expectAccessible } from '../browser/expectAccessible.ts'
import { allowAndTake, changeTerms, connectWallet, fixButton, isFixed } from '../browser/pageActions.ts'
import { startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'

describeInDemo('a borrower in the web client', {}, ({ open, demo }) => {
  const started = stopAfter(afterEach)

  test('default: the form rejects ambiguous input, the auction survives a reload, and its best offer becomes a position', async () => {
    // A maker that receives requests but never answers.
    const silent = await createAccount(demo().chain)
    started(await startBacker(demo().url, silent, { quote: () => null }))
    const page = await open('/')
    const amount = page.getByLabel('Amount to fix')
    const ask = page.getByRole('button', { name: 'Get quotes (15 s)' })
    // The focus moves to the invalid field in the next animation frame.
    const focusOnMistake = () =>
      page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await amount.fill('')
    await ask.click()
    await page.getByText('Enter an amount, like 250,000 or 250k.').waitFor()
    await focusOnMistake()

    await connectWallet(page, 'Demo account')
    await changeTerms(page)
    // The card is prefilled with the unfixed amount.
    const rest = (await amount.inputValue()).replaceAll(',', '')
    expect(Number(rest)).toBeGreaterThanOrEqual(3_000_000)
    const useRest = page.getByRole('button', { name: 'Use it' })
    expect(await useRest.count()).toBe(0)
    await expectAccessible(page)

    await amount.fill('250.000')
    await amount.blur()
    await page.getByText('Did you mean 250 or 250,000?').waitFor()
    await ask.click()
    await focusOnMistake()
    await amount.fill((BigInt(rest) + 500_000n).toString())
    const tooMuch = page.getByText("That's 500,000 tUSD more than your unfixed debt.", { exact: false })
    await tooMuch.waitFor()
    await useRest.click()
    expect((await amount.inputValue()).replaceAll(',', '')).toBe(rest)
    expect(await tooMuch.count()).toBe(0)
    // A collapsed field with an error expands.
    const maxRate = page.getByRole('textbox', { name: 'Maximum rate' })
    await maxRate.fill('0')
    await changeTerms(page)
    await ask.click()
    await page.getByText('Enter a rate above zero, or leave this empty.').waitFor()
    await focusOnMistake()
    await maxRate.fill('')

    // All prices below are for this amount.
    await amount.fill('250k')
    await page.getByText('Two hundred fifty thousand tUSD', { exact: true }).waitFor()
    await page.locator('fieldset [data-notional="250000000000"]').first().waitFor()
    const debt = page.getByRole('region', { name: 'tUSD against tWETH' })
    expect(await debt.locator('[data-notional]:not([data-notional="250000000000"])').count()).toBe(0)
    await expectAccessible(page)
    expect(page.url()).toBe(`${demo().url}/`)
    await ask.click()

    await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
    const quotes = page.getByRole('region', { name: 'Quotes' }).locator('tbody').getByRole('row')
    const waiting = quotes.filter({ hasText: /Waiting for an answer$/ })
    await quotes.filter({ hasText: /^\d+\.\d+% APY.*250,000 tUSD.*Best$/ }).waitFor()
    expect(await quotes.count()).toBe(4)
    expect(await waiting.count()).toBeGreaterThanOrEqual(1)
    await fixButton(page).waitFor()
    expect(await page.title()).toMatch(/^\d+s · Auction · Firmquote$/)
    // This browser denies notifications by default.
    await page.getByRole('button', { name: 'Notify me when it closes' }).click()
    await page.getByText('Notifications are blocked.', { exact: false }).waitFor()
    await expectAccessible(page)

    await page.reload()
    await page.getByRole('timer').waitFor()
    await waiting.first().waitFor()
    await page.getByText('Auction closed', { exact: true }).waitFor()
    const best = page.getByRole('region', { name: 'Your fixed rate' })
    await fixButton(page).waitFor()
    // On a busy machine, a slow backer may answer too late.
    const result = await demo().client.getRfq(toRfqId(page.url().slice(-32)))
    expect(result.quotes.length).toBeGreaterThanOrEqual(2)
    const closedAt = Math.floor((result.closedAt ?? 0) / 1000)
    const rates = result.quotes.map(({ quote }) => `${quoteEffectiveApy(quote, result.expiry, closedAt)?.toFixed(2)}%`)
    const [rate] = (await best.getByText(/^\d+\.\d+% APY$/).allTextContents()).map((text) => text.split(' ')[0])
    expect(rate).toBe(rates[0])
    expect(await fixButton(page).textContent()).toBe(`Fix at ${rate}`)
    await best.getByText(`You come out ahead if the variable rate averages above ${rate}.`).waitFor()
    const listed = await quotes.getByText(/^\d+\.\d+% APY$/).allTextContents()
    expect(listed).toEqual(rates.map((one) => `${one} APY`))
    expect(await quotes.filter({ hasText: 'Best' }).count()).toBe(1)
    expect(await waiting.count()).toBe(0)
    await expectAccessible(page)

    const auction = page.url()
    await fixButton(page).click()
    await allowAndTake(page).click()
    await isFixed(page)
    await page.goto(auction)
    await page.getByText(/^250,000 tUSD of 250,000 tUSD fixed with 1 quote/).waitFor()
    await page.getByText('Fully fixed', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'View your positions' }).click()
    await page.waitForURL(/#\/positions$/)
    await page.getByRole('main').getByText('250,000', { exact: false }).first().waitFor()
    await expectAccessible(page)
    // A loan that is already fixed is not suggested again.
    await page.goto(`${demo().url}/#/`)
    await page.getByText(/^250,000 tUSD of 3,000,0\d\d tUSD fixed$/).waitFor()
    await changeTerms(page)
    expect((await amount.inputValue()).replaceAll(',', '')).toBe((BigInt(rest) - 250_000n).toString())
  }, 120_000)
})

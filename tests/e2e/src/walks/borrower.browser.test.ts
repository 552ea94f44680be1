import { quoteEffectiveApy, toRfqId } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { createAccount } from '../adversarial/owe.ts'
import { describeInDemo } from '../browser/describeInBrowser.ts'
import { expectAccessible } from '../browser/expectAccessible.ts'
import { allowAndTake, connectWallet, isFixed } from '../browser/pageActions.ts'
import { startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'

describeInDemo('a borrower in the web client', {}, ({ open, demo }) => {
  const started = stopAfter(afterEach)

  test('default: the form rejects ambiguous input, the auction survives a reload, and its best offer becomes a position', async () => {
    // A maker that receives requests but never answers.
    const silent = await createAccount(demo().chain)
    started(await startBacker(demo().url, silent, { quote: () => null }))
    const page = await open('/#/auction')
    const amount = page.getByLabel('Amount to fix')
    const ask = page.getByRole('button', { name: 'Ask makers for 15 seconds' })
    // The focus moves to the invalid field in the next animation frame.
    const focusOnMistake = () =>
      page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await ask.click()
    await page.getByText('Say how much of the debt to fix, like 250,000 or 250k.').waitFor()
    await focusOnMistake()

    await connectWallet(page, 'Demo account')
    const unfixed = page.getByText(/^Still unfixed: /)
    await unfixed.waitFor()
    // The form is prefilled with the unfixed amount, which depends on earlier positions.
    const rest = ((await unfixed.textContent()) ?? '').replace(/\D/g, '')
    expect((await amount.inputValue()).replaceAll(',', '')).toBe(rest)
    expect(await page.getByRole('button', { name: 'Use the rest' }).count()).toBe(0)
    await expectAccessible(page)

    await amount.fill('250.000')
    await amount.blur()
    await page.getByText('Did you mean 250 or 250,000?').waitFor()
    await ask.click()
    await focusOnMistake()
    await amount.fill((BigInt(rest) + 500_000n).toString())
    await page.getByText('More than is still unfixed: 500,000 tUSD too much.').waitFor()
    await page.getByRole('button', { name: 'Use the rest' }).click()
    expect((await amount.inputValue()).replaceAll(',', '')).toBe(rest)
    expect(await page.getByText('More than is still unfixed').count()).toBe(0)
    // A collapsed field with an error expands.
    await page.getByText('Most that you would pay').click()
    await page.getByLabel('Maximum total cost').fill('0')
    await page.getByText('Most that you would pay').click()
    await ask.click()
    await page.getByText(/^Nobody fixes a rate for nothing/).waitFor()
    await focusOnMistake()
    await page.getByLabel('Maximum total cost').fill('')

    // All prices below are for this amount.
    await amount.fill('250k')
    await page.getByText('Two hundred fifty thousand tUSD', { exact: true }).waitFor()
    await page.locator('fieldset [data-notional="250000000000"]').first().waitFor()
    expect(await page.locator('[data-notional]:not([data-notional="250000000000"])').count()).toBe(0)
    await expectAccessible(page)
    expect(page.url()).toMatch(/#\/auction$/)
    await ask.click()

    await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
    const slots = page.getByRole('list', { name: 'Makers that were asked' }).getByRole('listitem')
    await slots.filter({ hasText: /^answered: \d+\.\d+%.*best$/ }).waitFor()
    expect(await slots.count()).toBe(4)
    expect(await slots.filter({ hasText: /^waiting$/ }).count()).toBeGreaterThanOrEqual(1)
    await page.getByText('Best offer so far', { exact: true }).waitFor()
    expect(await page.title()).toMatch(/^\d+s · Auction · Firmquote$/)
    // This browser denies notifications by default.
    await page.getByRole('button', { name: 'Tell me when it closes' }).click()
    await page.getByText('Your browser does not let this page tell you.', { exact: false }).waitFor()
    await expectAccessible(page)

    await page.reload()
    await page.getByRole('timer').waitFor()
    await slots.filter({ hasText: /^waiting$/ }).waitFor()
    await page.getByText('Auction closed', { exact: true }).waitFor()
    const best = page.getByRole('region', { name: 'Best offer' })
    await best.getByRole('link', { name: 'Review and take' }).waitFor()
    // On a busy machine, a slow backer may answer too late.
    const result = await demo().client.getRfq(toRfqId(page.url().slice(-32)))
    expect(result.quotes.length).toBeGreaterThanOrEqual(2)
    const closedAt = Math.floor((result.closedAt ?? 0) / 1000)
    const rates = result.quotes.map(({ quote }) => `${quoteEffectiveApy(quote, result.expiry, closedAt)?.toFixed(2)}%`)
    const [rate] = (await best.getByText(/^\d+\.\d+% APY$/).allTextContents()).map((text) => text.split(' ')[0])
    expect(rate).toBe(rates[0])
    await best.getByText(`Pays off if floating averages above ${rate} APY until`, { exact: false }).waitFor()
    expect(await page.getByRole('link', { name: 'Review and take' }).count()).toBe(1)
    await page.getByText(/^\d other offers?$/).click()
    const others = await page
      .getByRole('list', { name: 'Other offers, best first' })
      .getByText(/^\d+\.\d+% APY$/)
      .allTextContents()
    expect(others).toEqual(rates.slice(1).map((other) => `${other} APY`))
    await expectAccessible(page)

    const auction = page.url()
    await page.getByRole('link', { name: 'Review and take' }).click()
    await allowAndTake(page).click()
    await isFixed(page)
    await page.goto(auction)
    await page.getByText(/^Fixed: 250,000 tUSD of 250,000 tUSD in 1 take/).waitFor()
    await page.getByText('All of it is fixed', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'See your positions' }).click()
    const positions = page.getByRole('region', { name: 'Your fixed positions' })
    await positions.getByText('250,000', { exact: false }).first().waitFor()
    await expectAccessible(page)
    // A loan that is already fixed is not suggested again.
    await page.goto(`${demo().url}/#/auction`)
    await unfixed.waitFor()
    expect(((await unfixed.textContent()) ?? '').replace(/\D/g, '')).toBe((BigInt(rest) - 250_000n).toString())
  }, 120_000)
})

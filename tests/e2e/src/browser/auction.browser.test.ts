import { borrowers } from '@firmquote/devnet'
import { quoteApr, toRfqId } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { createAccount } from '../hostile/owe.ts'
import { startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { allowAndTake, connectWallet, isFixed } from './pageActions.ts'

// Long enough for a reload in the middle.
describeInDemo('an auction in the web client', { AUCTION_DURATION_MS: '8000' }, ({ open, demo, createWallet }) => {
  const started = stopAfter(afterEach)

  test('default: the form refuses what is not clear, the auction outlives a reload, and its best offer becomes a position', async () => {
    // A maker that is asked and never answers.
    const silent = await createAccount(demo().chain)
    started(await startBacker(demo().url, silent, { quote: () => null }))
    const page = await open('/#/auction')
    const amount = page.getByLabel('Amount to fix')
    const ask = page.getByRole('button', { name: 'Ask makers for 8 seconds' })
    // The focus goes there with the next frame.
    const focusOnMistake = () =>
      page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await ask.click()
    await page.getByText('Say how much of the debt to fix, like 250,000 or 250k.').waitFor()
    await focusOnMistake()

    await connectWallet(page, 'Demo account')
    const unfixed = page.getByText(/^Still unfixed: /)
    await unfixed.waitFor()
    // All that is unfixed is filled in; how much that is depends on what has been fixed before.
    const rest = ((await unfixed.textContent()) ?? '').replace(/\D/g, '')
    expect((await amount.inputValue()).replaceAll(',', '')).toBe(rest)
    expect(await page.getByRole('button', { name: 'Use the rest' }).count()).toBe(0)
    await expectAccessible(page)

    await amount.fill('250.000')
    await amount.blur()
    await page.getByText('This can be read as 250 or as 250,000. Write the one that you mean like 1,234.5.').waitFor()
    await ask.click()
    await focusOnMistake()
    await amount.fill((BigInt(rest) + 500_000n).toString())
    await page.getByText('More than is still unfixed: 500,000 tUSD too much.').waitFor()
    await page.getByRole('button', { name: 'Use the rest' }).click()
    expect((await amount.inputValue()).replaceAll(',', '')).toBe(rest)
    expect(await page.getByText('More than is still unfixed').count()).toBe(0)
    // A folded field opens for its mistake.
    await page.getByText('Most that you would pay').click()
    await page.getByLabel('Maximum total cost').fill('0')
    await page.getByText('Most that you would pay').click()
    await ask.click()
    await page.getByText(/^Nobody fixes a rate for nothing/).waitFor()
    await focusOnMistake()
    await page.getByLabel('Maximum total cost').fill('')

    // Every price is one for this size.
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
    expect(await page.title()).toMatch(/^\ds · Auction · Firmquote$/)
    // This browser refuses notifications unless it is told otherwise.
    await page.getByRole('button', { name: 'Tell me when it closes' }).click()
    await page.getByText('Your browser does not let this page tell you.', { exact: false }).waitFor()
    await expectAccessible(page)

    await page.reload()
    await page.getByRole('timer').waitFor()
    await slots.filter({ hasText: /^waiting$/ }).waitFor()
    await page.getByText('Auction closed', { exact: true }).waitFor()
    const best = page.getByRole('region', { name: 'Best offer' })
    await best.getByRole('link', { name: 'Review and take' }).waitFor()
    // A backer that is slow on a busy machine does not quote in time.
    const result = await demo().client.getRfq(toRfqId(page.url().slice(-32)))
    expect(result.quotes.length).toBeGreaterThanOrEqual(2)
    const closedAt = Math.floor((result.closedAt ?? 0) / 1000)
    const rates = result.quotes.map(({ quote }) => `${quoteApr(quote, result.expiry, closedAt).toFixed(2)}%`)
    const [rate] = (await best.getByText(/^\d+\.\d+% APR$/).allTextContents()).map((text) => text.split(' ')[0])
    expect(rate).toBe(rates[0])
    // The same figure in the comparison, and one action.
    await best.getByText(`Pays off if floating averages above ${rate} until`, { exact: false }).waitFor()
    expect(await page.getByRole('link', { name: 'Review and take' }).count()).toBe(1)
    await page.getByText(/^\d other offers?$/).click()
    const others = await page
      .getByRole('list', { name: 'Other offers, best first' })
      .getByText(/^\d+\.\d+% APR$/)
      .allTextContents()
    expect(others).toEqual(rates.slice(1).map((other) => `${other} APR`))
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
    // What is fixed is not proposed again.
    await page.goto(`${demo().url}/#/auction`)
    await unfixed.waitFor()
    expect(((await unfixed.textContent()) ?? '').replace(/\D/g, '')).toBe((BigInt(rest) - 250_000n).toString())
  }, 120_000)

  test('behavior: an account that has proven itself asks with its proof, which no storage keeps, and another page tells of the close', async () => {
    const { address } = borrowers[1]
    const wallet = createWallet(address)
    const page = await open('/#/auction', { wallet })
    await connectWallet(page, 'Test Wallet')
    // From here on nothing moves under the pointer.
    await page.getByText(/^Still unfixed: /).waitFor()
    await page.getByText('Prove that the account is yours (optional)').click()
    await page.getByRole('button', { name: 'Prove that the account is yours' }).click()
    await page.getByText(/^Your account is proven to makers until [A-Z][a-z]{2} \d/).waitFor()
    expect(wallet.asked('eth_signTypedData_v4')).toBe(1)
    await page.getByLabel('Amount to fix').fill('250k')
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: /^Ask makers/ }).click()
    const { takerProof } = (await asked).postDataJSON()
    expect(takerProof).toMatchObject({ timestamp: expect.any(Number), signature: expect.stringMatching(/^0x/) })
    // A service that did not take the proof would not have started it.
    await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain(takerProof.signature)
    const auction = page.url()
    await page.goto(`${demo().url}/#/how`)
    const news = page.getByRole('region', { name: 'News' })
    await news.getByText('Your auction has closed').waitFor()
    await news.getByRole('link', { name: 'See the offers' }).click()
    await page.getByRole('link', { name: 'Review and take' }).waitFor()
    expect(page.url()).toBe(auction)
  })

  test("behavior: numbers are written and read by the browser's language, and what is ambiguous is refused", async () => {
    const page = await open('/#/auction', { locale: 'de-DE' })
    const amount = page.getByLabel('Amount to fix')
    await amount.fill('250,000')
    await amount.blur()
    await page.getByText('This can be read as 250 or as 250.000. Write the one that you mean like 1.234,5.').waitFor()
    await page.getByRole('button', { name: /^Ask makers/ }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(page.url()).toMatch(/#\/auction$/)
    await amount.fill('250.000,5')
    await page.getByText('Two hundred fifty thousand point five tUSD').waitFor()
    await page.getByText(/^Floating today: \d+,\d\d\s% APR\.$/).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    await expectAccessible(page)
  })

  test('behavior: by keyboard alone, with a clock that is an hour wrong, and not a word too much', async () => {
    const page = await open('/#/auction')
    await page.addInitScript(() => {
      const { now } = Date
      Date.now = () => now() + 3_600_000
    })
    await page.reload()
    await page.getByLabel('Amount to fix').waitFor()
    await page.evaluate(recordAnnouncements)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await press(page, 'Connect wallet')
    await press(page, 'Demo account')
    // All that is unfixed is filled in: from here on nothing is left to type.
    await page.getByText(/^Still unfixed: /).waitFor()
    await tabTo(page, 'Amount to fix')
    await press(page, 'Ask makers')
    const timer = page.getByRole('timer')
    await timer.waitFor()
    const left = Number(/\d+/.exec((await timer.textContent()) ?? '')?.[0])
    expect([left > 0, left <= 8]).toEqual([true, true])
    await page.getByText('Auction closed', { exact: true }).waitFor()
    await press(page, 'Review and take')
    await allowAndTake(page).waitFor()
    await press(page, 'Allow and take it for')
    await isFixed(page)
    // The focus is where the view begins, not lost: the next things are its own.
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Back to the auction')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('See your position')

    const announced = await page.evaluate(() => (globalThis as unknown as Recorded).announced)
    // Two for each of the transactions before the take, beside what is said of the auction and of the take.
    expect(announced.length).toBeLessThanOrEqual(12)
    expect(announced.join(' ')).toMatch(
      /has started.*best offer so far: \d.*auction has closed.*all 6 checks have passed.*on its way.*is fixed/is,
    )

    expect(announced.join(' ')).not.toContain('can no longer be taken')

    // The next loan is proposed: of the first one all is fixed, but for the interest since then, which is dust.
    await page.goto(`${demo().url}/#/auction`)
    await page.getByText('Still unfixed: 2,000,000 tUSD', { exact: true }).waitFor()
    const [fixed] = await demo().client.getPoolRates()
    await page.goto(`${demo().url}/#/auction?pool=${fixed?.poolId}`)
    await page.getByText(/^Fully fixed: all of the 3,000,\d{3} tUSD that you owe here\.$/).waitFor()
    expect(await page.getByLabel('Amount to fix').inputValue()).toBe('')

    // What a tab keeps may be read by the next user: no signature is in it, and no key.
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toMatch(/0x[0-9a-f]{130}|privateKey/i)
  })

  test('behavior: the server stops and comes back at the same address, and the page recovers by itself', async () => {
    // What the browser itself says of a server that is away.
    const noise = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|503/
    const page = await open('/#/curve', { noise })
    await page.getByRole('heading', { name: /^Fixed rates for/ }).waitFor()
    await demo().stopServer()
    const banner = page.getByRole('region', { name: 'The service does not answer' })
    await banner.waitFor()
    await expectAccessible(page)
    await demo().startServer()
    await banner.waitFor({ state: 'detached' })
    expect(demo().output()).not.toContain('ended by itself')
  })
})

type Recorded = { announced: string[] }

/** Runs in the page: keeps what a screen reader would say by itself. */
function recordAnnouncements(): void {
  const announced: string[] = []
  Object.assign(globalThis, { announced } satisfies Recorded)
  const region = document.querySelector('[aria-live=polite]')
  if (!region) throw new TypeError('nothing is announced here')
  new MutationObserver(() => announced.push(region.textContent)).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  })
}

/** The name of what has the focus, as far as it is written on it or beside it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return label ?? element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  })
}

/** Presses Tab until the focus is on what begins with a name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  while (passed.length < 60) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now.startsWith(name)) return
    passed.push(now)
  }
  throw new TypeError(`Tab does not lead to ${name}, but to ${passed.join(' | ')}`)
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

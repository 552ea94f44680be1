import { borrowers } from '@firmquote/devnet'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { allowAndTake, connectWallet, isFixed } from './pageActions.ts'

// The auction lasts long enough for a reload.
describeInDemo('an auction in the web client', { AUCTION_DURATION_MS: '8000' }, ({ open, demo, createWallet }) => {
  test('behavior: a verified account requests with its proof, which is not stored, and another view announces the close', async () => {
    const { address } = borrowers[1]
    const wallet = createWallet(address)
    const page = await open('/#/auction', { wallet })
    await connectWallet(page, 'Test Wallet')
    // Waits until the layout is stable.
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
    // The service opens the auction only if it accepts the proof.
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

  test("behavior: numbers are formatted and parsed in the browser's language, and ambiguous ones are rejected", async () => {
    const page = await open('/#/auction', { locale: 'de-DE' })
    const amount = page.getByLabel('Amount to fix')
    await amount.fill('250,000')
    await amount.blur()
    await page.getByText('Did you mean 250 or 250.000?').waitFor()
    await page.getByRole('button', { name: /^Ask makers/ }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(page.url()).toMatch(/#\/auction$/)
    await amount.fill('250.000,5')
    await page.getByText('Two hundred fifty thousand point five tUSD').waitFor()
    await page.getByText(/^Floating today: \d+,\d\d\s% APY\.$/).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    await expectAccessible(page)
  })

  test('behavior: works with the keyboard alone and a clock that is an hour off, without excess announcements', async () => {
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
    // The form is prefilled with the entire unfixed amount.
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
    // The focus is at the start of the view, so Tab moves it to the first control.
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Back to the auction')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('See your position')

    const announced = await page.evaluate(() => (globalThis as unknown as Recorded).announced)
    // Two announcements for each transaction before the take, plus those about the auction and the take.
    expect(announced.length).toBeLessThanOrEqual(12)
    expect(announced.join(' ')).toMatch(
      /has started.*best offer so far: \d.*auction has closed.*on its way.*is fixed/is,
    )

    expect(announced.join(' ')).not.toContain('can no longer be taken')

    // The next loan is suggested. The first loan is fixed except for the interest up to the take, which is dust.
    await page.goto(`${demo().url}/#/auction`)
    await page.getByText('Still unfixed: 2,000,000 tUSD', { exact: true }).waitFor()
    const [fixed] = await demo().client.getPoolRates()
    await page.goto(`${demo().url}/#/auction?pool=${fixed?.poolId}`)
    await page.getByText(/^Fully fixed: all of the 3,000,\d{3} tUSD that you owe here\.$/).waitFor()
    expect(await page.getByLabel('Amount to fix').inputValue()).toBe('')

    // The tab's storage must not contain signatures or keys, since the next user can read it.
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toMatch(/0x[0-9a-f]{130}|privateKey/i)
  })

  test('behavior: the page recovers automatically when the server restarts at the same address', async () => {
    // Messages that the browser itself logs when it cannot reach a server.
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

/** Records live region announcements. Runs in the page. */
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

/** Returns the focused element's accessible name, from its text or label. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return label ?? element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  })
}

/** Presses Tab until the focused element's name starts with this text. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  while (passed.length < 60) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now.startsWith(name)) return
    passed.push(now)
  }
  throw new TypeError(`Tab did not reach ${name}, only ${passed.join(' | ')}`)
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

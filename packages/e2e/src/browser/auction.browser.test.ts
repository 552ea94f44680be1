import { borrowers } from '@firmquote/devnet'
import { ServiceClient, toRfqId } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { base } from 'viem/chains'
import { connectWallet } from './connectWallet.ts'
import { describeInBrowser } from './describeInBrowser.testing.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { createTestWallet } from './testWallet.ts'

describeInBrowser('an auction in the web client', (browser) => {
  let demo: Demo
  beforeAll(async () => {
    // Long enough for a reload in the middle.
    demo = await startDemo({ AUCTION_DURATION_MS: '8000' })
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  test('default: it is run, outlives a reload, and its best quote becomes a position', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/#/auction`)
    await connectWallet(page, 'Demo account')
    const sized = page.waitForRequest((request) => request.url().endsWith('&notional=250000000000'))
    await page.getByLabel('Amount to fix').fill('250k')
    await sized
    await page.getByRole('button', { name: 'Start the auction' }).click()
    await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
    await page.getByRole('link', { name: 'Review and take' }).first().waitFor()
    await expectAccessible(page)

    await page.reload()
    await page.getByRole('timer').waitFor()
    const takeable = page.getByRole('table', { name: 'Quotes that can be taken, best first' })
    await takeable.waitFor()
    await page.getByText('Auction closed', { exact: true }).waitFor()
    const rates = await takeable
      .getByRole('row')
      .getByText(/^\d+\.\d+% APR/)
      .allTextContents()
    // A backer that is slow on a busy machine does not quote in time.
    const { quotes } = await new ServiceClient({ orderbookUrl: demo.url }).getRfq(toRfqId(page.url().slice(-32)))
    expect(quotes.length).toBeGreaterThanOrEqual(2)
    expect(rates.length).toBe(quotes.length)
    expect(rates).toEqual([...rates].sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b)))
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Review and take' }).first().click()
    await page.getByRole('button', { name: /^Take it for/ }).click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    await page.getByRole('link', { name: 'See your positions' }).click()
    const positions = page.getByRole('region', { name: 'Your fixed positions' })
    await positions.getByText('250,000', { exact: false }).first().waitFor()
    await expectAccessible(page)
    expectQuiet()
    await close()
  }, 90_000)

  test('behavior: an account that has proven itself asks with its proof, which no storage keeps', async () => {
    const { address } = borrowers[1]
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address })
    const { page, close } = await openPage(browser(), `${demo.url}/#/auction`, { wallet })
    await connectWallet(page, 'Test Wallet')
    await page.getByRole('button', { name: 'Prove that the account is yours' }).click()
    await page.getByText(/^Your account is proven to makers until \d{4}-/).waitFor()
    expect(wallet.calls.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
    await page.getByLabel('Amount to fix').fill('250k')
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Start the auction' }).click()
    const { takerProof } = (await asked).postDataJSON()
    expect(takerProof).toMatchObject({ timestamp: expect.any(Number), signature: expect.stringMatching(/^0x/) })
    // A service that did not take the proof would not have started it.
    await page.waitForURL(/#\/auction\/[0-9a-f]{32}$/)
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toContain(takerProof.signature)
    await close()
  }, 60_000)

  test('behavior: by keyboard alone, with a clock that is an hour wrong, and not a word too much', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/#/auction`)
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
    await tabTo(page, 'Amount to fix')
    await page.keyboard.type('1.5m')
    await press(page, 'Start the auction')
    const timer = page.getByRole('timer')
    await timer.waitFor()
    const left = Number(/\d+/.exec((await timer.textContent()) ?? '')?.[0])
    expect([left > 0, left <= 8]).toEqual([true, true])
    await page.getByText('Auction closed', { exact: true }).waitFor()
    await press(page, 'Review and take')
    await page.getByRole('button', { name: /^Take it for/ }).waitFor()
    await press(page, 'Take it for')
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    // The focus is where the view begins, not lost: the next things are its own.
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Back to the auction')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('See your positions')

    const announced = await page.evaluate(() => (globalThis as unknown as Recorded).announced)
    expect(announced.length).toBeLessThanOrEqual(8)
    expect(announced.join(' ')).toMatch(/auction has closed.*six checks have passed.*on its way.*is fixed/is)

    // What a tab keeps may be read by the next user: no signature is in it, and no key.
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(kept).not.toMatch(/0x[0-9a-f]{130}|privateKey/i)
    expectQuiet()
    await close()
  }, 90_000)

  test('behavior: the server stops and comes back, and the page recovers by itself', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/#/curve`)
    await page.getByRole('heading', { name: /^Fixed rates for/ }).waitFor()
    await demo.stopServer()
    await page.getByText('The service does not answer').waitFor()
    await expectAccessible(page)
    await demo.startServer()
    await page.getByText('The service does not answer').waitFor({ state: 'detached' })
    // What the browser itself says of a server that is away is all that may be heard.
    expectQuiet(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|503/)
    await close()
  }, 60_000)
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

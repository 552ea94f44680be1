import type { RFQBroadcast } from '@firmquote/core'
import { borrowers } from '@firmquote/devnet'
import { ServiceClient, toRfqId } from '@firmquote/sdk'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { base } from 'viem/chains'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { quoteOf } from '../quoteOf.ts'
import { requestOf, startAuction } from './demoMarket.ts'
import { describeInBrowser, describeInDemo } from './describeInBrowser.ts'
import { expectAccessible, expectAccessibleInBoth } from './expectAccessible.ts'
import { movedIn } from './measurePage.ts'
import { allowAndTake, changeTerms, connectWallet, fixButton, getQuotes, isFixed } from './pageActions.ts'
import { createTestWallet } from './testWallet.ts'

// The auction lasts long enough for a reload.
describeInDemo('an auction in the web client', { AUCTION_DURATION_MS: '8000' }, ({ open, demo, createWallet }) => {
  test('behavior: a verified account requests with its proof, which is not stored, and another view announces the close', async () => {
    const { address } = borrowers[1]
    const wallet = createWallet(address)
    const page = await open('/', { wallet })
    await connectWallet(page, 'Test Wallet')
    await changeTerms(page)
    await page.getByText('Prove this account is yours (optional)').click()
    await page.getByRole('button', { name: 'Sign the proof' }).click()
    await page.getByText(/^Makers know this account is yours until [A-Z][a-z]{2} \d/).waitFor()
    expect(wallet.asked('eth_signTypedData_v4')).toBe(1)
    await page.getByLabel('Amount to fix').fill('250k')
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await getQuotes(page)
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
    await news.getByRole('link', { name: 'View the quotes' }).click()
    await fixButton(page).waitFor()
    expect(page.url()).toBe(auction)
  })

  test('behavior: a review that starts in an open auction continues after the close', async () => {
    const { address } = borrowers[2]
    const wallet = createWallet(address)
    const page = await open(`/#/auction/${await startAuction(demo(), await requestOf(demo(), address))}`, { wallet })
    await connectWallet(page, 'Test Wallet')
    await fixButton(page).click()
    const review = page.url()
    const take = page.getByRole('button', { name: /^(?:Take it|Allow and take it|Approve and fix|Fix) for/ })
    await take.waitFor()
    const rfqId = toRfqId(/auction\/(\w+)/.exec(review)?.[1] ?? '')
    expect((await demo().client.getRfq(rfqId)).status).toBe('open')
    await take.evaluate((button) => Object.assign(globalThis, { button }))
    await waitUntil(async () => (await demo().client.getRfq(rfqId)).status === 'closed')
    // The view has kept its state: the button is the same element.
    expect(await take.evaluate((button) => button === (globalThis as unknown as { button: Element }).button)).toBe(true)
    expect(page.url()).toBe(review)
    await take.click()
    await isFixed(page)
  })

  test('behavior: numbers are formatted and parsed as the visitor chose, and ambiguous ones are rejected', async () => {
    const page = await open('/api/v1/health')
    await page.evaluate(() => localStorage.setItem('firmquote.numbers', 'de-DE'))
    await page.goto(demo().url)
    const amount = page.getByLabel('Amount to fix')
    await amount.fill('250,000')
    await amount.blur()
    await page.getByText('Did you mean 250 or 250.000?').waitFor()
    await getQuotes(page)
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    expect(page.url()).toBe(`${demo().url}/`)
    await amount.fill('250.000,5')
    await page.getByText('250.000,5 tUSD').waitFor()
    await page.getByText(/^vs \d+,\d\d\s% variable today$/).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    await expectAccessible(page)
  })

  test('behavior: works with the keyboard alone and a clock that is an hour off, without excess announcements', async () => {
    const page = await open('/')
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
    // The card is prefilled with the entire unfixed amount.
    await page.getByText(/^3,000,\d{3} tUSD owed$/).waitFor()
    await press(page, 'Get quotes')
    const timer = page.getByRole('timer')
    await timer.waitFor()
    const left = Number(/\d+/.exec((await timer.textContent()) ?? '')?.[0])
    expect([left > 0, left <= 8]).toEqual([true, true])
    await fixButton(page).waitFor()
    await page.waitForFunction(() => (globalThis as unknown as Recorded).announced.join().includes('Best quote so far'))
    await press(page, 'Fix at ')
    await allowAndTake(page).waitFor()
    await press(page, 'Approve and fix for')
    await isFixed(page)
    // The focus is at the start of the view, so Tab moves it to the first control.
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Back')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('See your position')

    const announced = await page.evaluate(() => (globalThis as unknown as Recorded).announced)
    // Two announcements for each transaction before the take, plus those about the auction and the take.
    expect(announced.length).toBeLessThanOrEqual(12)
    expect(announced.join(' ')).toMatch(/auction started.*best quote so far: \d.*transaction sent.*is fixed/is)

    expect(announced.join(' ')).not.toContain('can no longer be taken')

    // The next loan is suggested. The first loan is fixed except for the interest up to the take, which is dust.
    await page.goto(`${demo().url}/#/`)
    await page.getByText(/^3,000,\d{3} tUSD, fully fixed$/).waitFor()
    await page.getByRole('region', { name: 'tUSD against tBTC' }).getByText('Your fixed rate').waitFor()
    const [fixed] = await demo().client.getPoolRates()
    await page.goto(`${demo().url}/#/?pool=${fixed?.poolId}`)
    await page.getByText(/^All 3,000,\d{3} tUSD of this debt are fixed\.$/).waitFor()
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
    const banner = page.getByRole('region', { name: "The service isn't responding" })
    await banner.waitFor()
    await expectAccessible(page)
    await demo().startServer()
    await banner.waitFor({ state: 'detached' })
    expect(demo().output()).not.toContain('ended by itself')
  })
})

describeInDemo('an auction of 15 seconds', {}, ({ open, demo }) => {
  test('default: once all makers have answered, the rate is fixed before the auction closes', async () => {
    // Makers are expected to answer once they have answered an auction.
    const earlier = await startAuction(demo(), await requestOf(demo(), borrowers[0].address))
    await waitUntil(async () => (await demo().client.getRfq(toRfqId(earlier))).quotes.length >= 2)
    const page = await open('/')
    await connectWallet(page, 'Demo account')
    const ask = page.getByRole('button', { name: /^Get quotes/ }).first()
    await ask.waitFor()
    const pressed = await page.evaluate(pressThrough)
    await page.waitForURL(/#\/auction\/[0-9a-f]{32}\//)
    const auction = await demo().client.getRfq(toRfqId(/auction\/(\w+)/.exec(page.url())?.[1] ?? ''))
    expect(pressed.advice).toMatch(/^(?:All \d makers have answered\.|Waiting may get a better rate)/)
    expect(pressed.fixedAt).toBeLessThan(auction.closesAt)
    const seconds = (pressed.fixedAt - pressed.askedAt) / 1000
    process.stdout.write(`auction.browser: fixed ${seconds.toFixed(1)} s after asking, of an auction of 15 s\n`)
  })
})

describeInBrowser('an auction whose quotes arrive one by one', ({ open }) => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ AUCTION_DURATION_MS: '15000' })
  }, 60_000)
  afterAll(() => stack?.stop(), 30_000)

  /** Connects makers that answer when the test says so. */
  async function connectMakers() {
    const makers = stack.devnet.backers.map(async ({ address, privateKey }) => {
      const client = new ServiceClient({ orderbookUrl: stack.url })
      client.setPrivateKey(privateKey)
      const heard = createDeferred<RFQBroadcast>()
      const socket = await client.connectWebSocket({ onRFQ: heard.resolve }, { retry: true })
      return {
        stop: () => client.disconnectWebSocket(),
        async publish(terms: Omit<Parameters<typeof quoteOf>[1], 'maker'>) {
          const signed = await client.signQuoteMarketQuote(quoteOf(address, terms))
          return (await client.submitQuoteMarketQuote(signed)).hash
        },
        async answer(terms: Omit<Parameters<typeof quoteOf>[1], 'maker'>) {
          const { rfqId } = await heard.promise
          const signed = await client.signQuoteMarketQuote(quoteOf(address, terms))
          expect(await socket.submitSerializedQuote(rfqId, signed)).toMatchObject({ status: 'accepted' })
        },
      }
    })
    const [first, second, third] = await Promise.all(makers)
    if (!first || !second || !third) throw new TypeError('the devnet has too few makers')
    return [first, second, third] as const
  }

  test.each([1440, 390])('behavior: quotes replace each other without moving anything, %d px wide', async (width) => {
    const [borrower] = stack.devnet.borrowers
    const makers = await connectMakers()
    // The test publishes a quote for its amount.
    const notional = BigInt(width) * 100_000_000n
    const request = { ...stack.series, taker: borrower.address, notional }
    const wallet = createTestWallet({ rpcUrl: stack.devnet.rpcUrl, chainId: base.id, address: borrower.address })
    const page = await open(stack.url, { wallet, viewport: { width, height: 900 } })
    await connectWallet(page, 'Test Wallet')
    const rfqId = toRfqId(await startAuction({ client: new ServiceClient({ orderbookUrl: stack.url }) }, request))
    await page.goto(`${stack.url}/#/auction/${rfqId}`)
    // Shifts within half a second of a click do not count, so none may precede.
    await page.reload()
    await page.getByText('Waiting for the first quote.').waitFor()
    const rows = page.getByRole('row')
    // The heading, and a row for each maker.
    expect(await rows.count()).toBe(4)
    await page.getByRole('banner').getByRole('button', { name: /^0x/ }).waitFor()
    const before = await movedIn(page)
    // The second quote is better, the third is worse and for a smaller amount.
    const half = notional / 2n
    const answers = [
      { ...request, vrtAmount: notional / 40n },
      { ...request, vrtAmount: notional / 80n },
      { ...request, notional: half, vrtAmount: half / 60n },
    ]
    for (const [index, terms] of answers.entries()) {
      await makers[index as 0 | 1 | 2].answer(terms)
      await rows
        .filter({ hasText: /Best|Can be taken/ })
        .nth(index)
        .waitFor()
      await fixButton(page).waitFor()
    }
    expect(await rows.filter({ hasText: 'Best' }).getAttribute('data-cost')).toBe(`${notional / 80n}`)
    expect(await rows.count()).toBe(4)
    expect(await movedIn(page)).toEqual(before)
    await page.getByRole('timer').waitFor()
    await expectAccessibleInBoth(page)

    await page.getByText('Auction closed', { exact: true }).waitFor()
    await fixButton(page).waitFor()
    await expectAccessibleInBoth(page)

    const hash = await makers[0].publish({ ...stack.series, notional, vrtAmount: notional / 100n })
    await page.reload()
    const cheaper = page.getByRole('link', { name: /^A published quote is cheaper: \d\.\d\d% APY$/ })
    expect(await cheaper.getAttribute('href')).toBe(`#/quote/${hash}`)
    for (const { stop } of makers) stop()
  })
})

/**
 * Asks for quotes and presses each main button as soon as it appears, until the rate is fixed. Runs in the page, and
 * returns times in Unix milliseconds and the advice shown at the press.
 */
async function pressThrough(): Promise<{ askedAt: number; fixedAt: number; advice: string }> {
  const find = (selector: string, text: RegExp): Promise<HTMLElement> =>
    new Promise((resolve) => {
      const timer = setInterval(() => {
        const found = [...document.querySelectorAll<HTMLElement>(selector)].find((one) =>
          text.test(one.textContent.trim()),
        )
        if (!found) return
        clearInterval(timer)
        resolve(found)
      }, 20)
    })
  const askedAt = Date.now()
  ;(await find('button:enabled', /^Get quotes/)).click()
  const fix = await find('a', /^Fix at \d/)
  const advice = (await find('section p', /^(?:All|Waiting may)/)).textContent
  fix.click()
  ;(await find('button:enabled', /^(?:Allow and take it|Approve and fix) for/)).click()
  await find('h1, h2', /^Your rate is fixed$/)
  return { askedAt, fixedAt: Date.now(), advice }
}

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

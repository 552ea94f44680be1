import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { connectWallet } from './connectWallet.ts'
import { describeInBrowser } from './describeInBrowser.testing.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'

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
    await page.getByLabel('Amount to fix').fill('250k')
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
    expect(rates.length).toBe(3)
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

import { newcomers } from '@firmquote/devnet'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { connectWallet } from './pageActions.ts'
import { createPageClock } from './pageClock.ts'
import { views } from './views.ts'

const explorer = 'https://explorer.example/base'
const openMenu = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()

/** Removes the demo accounts, so that the app behaves as on a real chain in a browser without a wallet. */
const withoutDemoAccounts = (page: Page, url: string) =>
  page.route(`${url}/`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replaceAll(/(demo-account" content=)"0x[0-9a-fA-F]+"/g, '$1""')
    await route.fulfill({ response: answer, body })
  })

const settings = { WALLETCONNECT_PROJECT_ID: 'ab'.repeat(16), EXPLORER_URL: `${explorer}/` }
describeInDemo('wallets of the web client', settings, ({ browser, open, demo }) => {
  test('behavior: WalletConnect is loaded only when chosen, and shows a code to scan', async () => {
    // The page must contact only hosts that the policy allows, and the policy must not block any request.
    const noise =
      /^(?!.*Content Security).*(?:(?:relay|rpc|verify)\.walletconnect\.org|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED)/s
    const page = await open('/', { noise })
    const [scripts, sent]: [string[], string[]] = [[], []]
    page.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())))
    // A relay that accepts everything but has no wallet connected.
    await page.routeWebSocket(/^wss:\/\/relay\.walletconnect\.org/, (socket) => {
      socket.onMessage((text) => {
        const { id, method } = JSON.parse(String(text)) as { id: number; method: string }
        sent.push(method)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: /ubscribe/.test(method) ? 'ab'.repeat(32) : true }))
      })
    })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const first = scripts.length
    expect(first).toBeGreaterThan(0)
    expect(scripts.join()).not.toMatch(/walletConnect|coinbaseWallet|PairingCode/i)
    await openMenu(page)
    await page.getByRole('button', { name: 'WalletConnect' }).click()
    await page.getByRole('img', { name: 'Connection code for a wallet app' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open in a wallet app' }).getAttribute('href')).toMatch(
      /^wc:[0-9a-f]{64}@2\?/,
    )
    expect(scripts.slice(first).join()).toMatch(/walletConnect/)
    expect(sent).toContain('wc_proposeSession')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Coinbase Wallet' }).waitFor()
    // Choosing WalletConnect again displays a different code.
    await page.getByRole('button', { name: 'WalletConnect' }).click()
    await page.getByRole('img', { name: 'Connection code for a wallet app' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('behavior: on a phone without a wallet, the page can be opened in a wallet app, without any auction in its address', async () => {
    const context = await browser().newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const page = await context.newPage()
    await withoutDemoAccounts(page, demo().url)
    await page.goto(`${demo().url}/#/auction/${'cd'.repeat(16)}`)
    await openMenu(page)
    const links = page.locator('#wallet-menu a')
    await links.first().waitFor()
    const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
    expect(hrefs).toHaveLength(4)
    const here = encodeURIComponent(`${demo().url}/`)
    for (const href of hrefs) expect(href.includes(here) || href.endsWith(`/${new URL(demo().url).host}/`)).toBe(true)
    expect(hrefs.join()).not.toContain('cdcdcd')
    await page.getByRole('button', { name: 'Copy address' }).waitFor()
    await expectAccessible(page)
    await context.close()
  })

  test('behavior: in a desktop browser without a wallet, explains what to do', async () => {
    const page = await open('/api/v1/health')
    await withoutDemoAccounts(page, demo().url)
    await page.goto(demo().url)
    await openMenu(page)
    await page.getByText('No wallet found in this browser.').waitFor()
    await page.getByRole('link', { name: 'Install a browser wallet' }).waitFor()
    await expectAccessible(page)
  })

  test.each([
    ['header', 'Connect wallet'],
    ['content', 'Connect a wallet'],
  ])("behavior: after connecting by keyboard from the %s, the focus is on the account's button", async (_, opener) => {
    const page = await open('/#/positions')
    await page.getByRole('button', { name: opener, exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Demo account', exact: true }).press('Enter')
    const account = page.getByRole('banner').getByRole('button', { name: /^0x/ })
    await account.waitFor()
    await page.locator('#wallet-menu').waitFor({ state: 'hidden' })
    expect(await account.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('behavior: an address links to the explorer and can be copied; print and forced colours have their own styles', async () => {
    const page = await open('/')
    await connectWallet(page, 'Demo account')
    // The menu closes after connecting.
    const menu = page.locator('#wallet-menu')
    await menu.waitFor({ state: 'hidden' })
    const own = page.getByRole('banner').getByRole('button', { name: /^0x/ })
    await own.click()
    const { address } = newcomers[0]
    expect(await menu.getByRole('link', { name: address }).getAttribute('href')).toBe(`${explorer}/address/${address}`)
    const copy = menu.getByRole('button', { name: 'Copy address' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await copy.click()
    await menu.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    // A page loaded over plain HTTP from another machine cannot use the clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await copy.click()
    await menu.getByText('Copying failed. Select the text instead.').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    const colours = () =>
      page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.body)
        return [color, backgroundColor]
      })
    expect(await colours()).not.toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await colours()).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const pressed of ['nav', 'button', 'footer']) {
      expect(await page.locator(pressed).filter({ visible: true }).count()).toBe(0)
    }

    await page.emulateMedia({ media: 'screen', colorScheme: 'light', forcedColors: 'active' })
    const lines = await page.evaluate(() => {
      const current = getComputedStyle(document.querySelector('nav [aria-current="page"]') as Element)
      const buttons = [...document.querySelectorAll('header button')].map((button) => getComputedStyle(button))
      return [`${current.outlineStyle} ${current.outlineWidth}`, ...buttons.map((button) => button.borderTopStyle)]
    })
    expect(lines.length).toBeGreaterThan(1)
    expect([lines[0], ...new Set(lines.slice(1))]).toEqual(['solid 2px', 'solid'])
    await expectAccessible(page)
  })

  test.each(views)(
    'behavior: per minute, $name sends at most 20 requests to the service and writes at most 60 attributes; hidden, none',
    async ({ name, path, wallet }) => {
      const page = await open(`${demo().url}/`)
      if (wallet) await connectWallet(page, 'Demo account')
      await page.clock.install()
      const clock = createPageClock(page)
      await page.goto(demo().url + path)
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/')) asked.push(new URL(request.url()).pathname)
      })
      const aMinute = async () => {
        asked.length = 0
        await clock.pass(60)
        return [...asked]
      }
      await page.evaluate(countWrites)
      const shown = await aMinute()
      const writes = await page.evaluate(() => (globalThis as unknown as Counted).attributeWrites)
      process.stdout.write(`${name}: ${writes} attribute writes a minute\n`)
      expect(writes).toBeLessThanOrEqual(60)
      expect(shown.filter((one) => one.endsWith('/health')).length).toBeGreaterThanOrEqual(3)
      expect(shown.length).toBeLessThanOrEqual(20)
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
        document.dispatchEvent(new Event('visibilitychange'))
      })
      expect(await aMinute()).toEqual([])
    },
  )
})

type Counted = { attributeWrites: number }

/** Counts writes of attributes, including those that change nothing. Runs in the page. */
function countWrites(): void {
  const counted: Counted = globalThis as unknown as Counted
  counted.attributeWrites = 0
  new MutationObserver((records) => {
    counted.attributeWrites += records.length
  }).observe(document, { subtree: true, attributes: true })
}

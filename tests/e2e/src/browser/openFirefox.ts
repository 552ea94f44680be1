import { setTimeout as sleep } from 'node:timers/promises'
import { type ElementHandle, launch } from 'puppeteer-core'
import { announceWallet, type TestWallet } from './testWallet.ts'

/**
 * Opens an address in headless Firefox with a new profile, over WebDriver BiDi. Playwright can drive only its own
 * Firefox builds.
 *
 * @param path path of the Firefox program.
 */
export async function openFirefox(path: string, url: string, wallet: TestWallet) {
  const browser = await launch({ browser: 'firefox', executablePath: path, headless: true })
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`page error: ${String(error)}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const to = new URL(request.url())
    if (/^https?:$/.test(to.protocol) && to.host !== new URL(url).host) complaints.push(`to another host: ${to.href}`)
  })
  wallet.emitters.add((event, value) => page.evaluate((...given) => testWalletEmit(...given), event, value))
  // Puppeteer serializes only objects from its own realm, but `fetch` under Jest creates objects in another realm.
  await page.exposeFunction('testWalletCall', async (call: Parameters<typeof wallet.answer>[0]) =>
    JSON.parse(JSON.stringify(await wallet.answer(call))),
  )
  await page.evaluateOnNewDocument(announceWallet)
  await page.goto(url)

  /**
   * Waits for a visible element with this text. Puppeteer's own wait functions use `eval`, which the page's CSP
   * forbids.
   */
  async function find(selector: string, text: RegExp): Promise<ElementHandle> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
      for (const element of await page.$$(selector)) {
        const shown = await element.evaluate((node) => node.textContent.trim()).catch(() => '')
        if (text.test(shown) && (await element.isVisible())) return element
      }
    }
    const shown = await page.evaluate(() => document.body.textContent)
    throw new TypeError(`No ${selector} ${text} within 30 s on ${page.url()}:\n${shown}`)
  }

  return {
    page,
    find,
    press: async (selector: string, text: RegExp) => (await find(selector, text)).click(),
    /** Script and console errors so far, and requests to other hosts. */
    complaints: complaints as readonly string[],
    close: () => browser.close(),
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { newcomers } from '@firmquote/devnet'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ElementHandle, launch } from 'puppeteer-core'
import { base } from 'viem/chains'
import { findBrowser, firefox } from '../../../../scripts/findBrowser.mjs'
import { type Demo, startDemo } from './startDemo.ts'
import { announceWallet, createTestWallet, type TestWallet } from './testWallet.ts'

const { path = '', missing } = findBrowser(process.env, firefox)
const describeInFirefox = missing === undefined ? describe : describe.skip

describeInFirefox(`the web client in Firefox${missing === undefined ? '' : ` [no browser: ${missing}]`}`, () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo({ AUCTION_DURATION_MS: '3000' })
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  test('default: a borrower without any approvals fixes a rate, which is recorded on-chain', async () => {
    const [borrower] = newcomers
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrower.address })
    const { page, press, find, complaints, close } = await openFirefox(demo.url, wallet)
    try {
      await press('button', /^Connect wallet$/)
      await press('button', /Test Wallet$/)
      await find('button', /^0x/)
      // The card is prefilled with the unfixed amount, which the test replaces with a smaller one.
      await press('summary', /^Change amount or set a max rate$/)
      await press('label', /^Amount to fix/)
      await page.keyboard.down('Control')
      await page.keyboard.press('a')
      await page.keyboard.up('Control')
      await page.keyboard.type('50k')
      await press('button:enabled', /^Get quotes \(3 s\)$/)
      await press('a', /^Fix at \d/)
      // One click requires three confirmations.
      await press('button:enabled', /^Approve and fix for/)
      await find('h1, h2, h3', /^Your rate is fixed$/)
      expect(wallet.asked('eth_sendTransaction')).toBe(3)
      // The allowance was exactly the cost, so taking the offer has used it up.
      expect(await demo.allowanceOf(borrower.address)).toBe(0n)
      expect(complaints).toEqual([])
    } finally {
      await close()
    }
  }, 120_000)
})

/**
 * Opens an address in headless Firefox with a new profile, over WebDriver BiDi. Playwright can drive only its own
 * Firefox builds.
 */
async function openFirefox(url: string, wallet: TestWallet) {
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

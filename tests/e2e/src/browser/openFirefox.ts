import { type ElementHandle, launch, type Page } from 'puppeteer-core'
import { findBrowser, firefox } from '../../../../scripts/findBrowser.mjs'
import { announceWallet, type WalletAnswer, type WalletCall } from './announceWallet.ts'
import type { TestWallet } from './testWallet.ts'

/** A page in Firefox, driven over WebDriver BiDi. */
export type FirefoxPage = {
  page: Page
  /** Waits until something of a role (button, link, heading …) whose name begins like this can be seen and used. */
  waitFor(role: string, name: RegExp): Promise<void>
  /** Waits for it and presses it. */
  press(role: string, name: RegExp): Promise<void>
  /** Errors of scripts and of the console so far, requests to other hosts among them. */
  complaints: readonly string[]
  close(): Promise<void>
}

/**
 * Opens an address in this machine's Firefox, in a fresh profile and without a window.
 *
 * @throws {TypeError} when there is none.
 */
export async function openFirefox(url: string, wallet: TestWallet): Promise<FirefoxPage> {
  const { path, missing } = findBrowser(process.env, firefox)
  if (path === undefined) throw new TypeError(`No Firefox: ${missing}.`)
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
  const { answer } = wallet.joinPage((event, value) => page.evaluate(tellWallet, event, value))
  // Puppeteer sends objects of its own realm alone, and what `fetch` parses under jest is of another.
  const copied = async (call: WalletCall): Promise<WalletAnswer> => JSON.parse(JSON.stringify(await answer(call)))
  await page.exposeFunction('testWalletCall', copied)
  await page.evaluateOnNewDocument(announceWallet)
  await page.goto(url)

  async function find(role: string, name: RegExp) {
    const found = await page.evaluateHandle(awaitElement, elementsOf[role] ?? `[role="${role}"]`, name.source, 30_000)
    const element = found.asElement()
    if (element) return element as ElementHandle
    throw new TypeError(`No ${role} ${name} within 30 s on ${page.url()}:\n${await page.evaluate(textInSight)}`)
  }

  return {
    page,
    complaints,
    async waitFor(role, name) {
      await (await find(role, name)).dispose()
    },
    async press(role, name) {
      const found = await find(role, name)
      await found.click()
      await found.dispose()
    },
    close: () => browser.close(),
  }
}

/** Elements that have a role by themselves. */
const elementsOf: Readonly<Record<string, string>> = {
  button: 'button',
  link: 'a[href]',
  heading: 'h1, h2, h3',
  textbox: 'input',
}

/**
 * Runs in the page: waits for the first element that can be seen and used and whose name matches; null when none comes. The page's
 * Content-Security-Policy forbids the `eval` of Puppeteer's own waiting.
 */
function awaitElement(selector: string, name: string, milliseconds: number): Promise<Element | null> {
  const isMeant = (element: Element) => {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(':disabled')) return false
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return new RegExp(name).test((element.getAttribute('aria-label') ?? label ?? element.textContent).trim())
  }
  const deadline = performance.now() + milliseconds
  return new Promise((resolve) => {
    const look = () => {
      const found = [...document.querySelectorAll(selector)].find(isMeant)
      if (found || performance.now() > deadline) resolve(found ?? null)
      else setTimeout(look, 50)
    }
    look()
  })
}

/** Runs in the page. */
function textInSight(): string {
  return document.body.textContent
}

/** Runs in the page. */
function tellWallet(event: string, value: unknown): void {
  dispatchEvent(new CustomEvent('testWalletEvent', { detail: { event, value } }))
}

import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { findBrowser } from '../../../../scripts/findBrowser.mjs'
import type { TestWallet } from './testWallet.ts'

/**
 * Starts this machine's Chromium without a window.
 *
 * @throws {TypeError} when there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  const { path, missing } = findBrowser()
  if (path === undefined) throw new TypeError(`No browser: ${missing}.`)
  return chromium.launch({ executablePath: path })
}

export type PageOptions = BrowserContextOptions & {
  /** Is there before the page's own scripts, also after a reload. */
  wallet?: TestWallet
  /** Answers requests to the page's host with the files of this folder, instead of a server. */
  files?: string
}

/** As strict as the server's. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'"

/** Opens an address in a fresh profile, 1440 by 900 pixels unless told otherwise, and waits until it has loaded. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}) {
  const { wallet, files, ...look } = options
  const viewport = { width: 1440, height: 900 }
  // In the middle of a transition a colour is neither the one before nor the one after.
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...look })
  /** Errors of scripts and of the console so far (violations of the CSP among them), and requests to other hosts. */
  const complaints: string[] = []
  const complainOfOthers = (address: string) => {
    const { protocol, host, href } = new URL(address)
    if (/^(?:http|ws)s?:$/.test(protocol) && host !== new URL(url).host)
      complaints.push(`request to another host: ${href}`)
  }
  // Of all pages and workers, and of what the CSP stops on its way.
  context.on('request', (request) => complainOfOthers(request.url()))
  context.on('weberror', (error) => complaints.push(`page error: ${error.error().stack}`))
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url, lineNumber } = message.location()
    complaints.push(`console: ${message.text()} (${url}:${lineNumber})`)
  })
  const page = await context.newPage()
  page.on('websocket', (socket) => complainOfOthers(socket.url()))
  if (files !== undefined) {
    const headers = { 'content-security-policy': policy }
    await page.route(new URL('/**', url).href, (route) =>
      route.fulfill({ path: join(files, new URL(route.request().url()).pathname), headers }),
    )
  }
  await wallet?.joinContext(context)
  await page.goto(url)
  return { page, complaints, close: () => context.close() }
}

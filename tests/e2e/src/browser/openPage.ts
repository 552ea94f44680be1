import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { findBrowser } from '../../../../scripts/findBrowser.mjs'
import type { TestWallet } from './testWallet.ts'

/** Resolves to this machine in the browser, like the name of a website that attacks it. */
export const foreignHost = 'foreign.example'

/**
 * Starts the machine's Chromium in headless mode.
 *
 * @throws {TypeError} if Chromium is not installed.
 */
export async function launchBrowser(): Promise<Browser> {
  const { path, missing } = findBrowser()
  if (path === undefined) throw new TypeError(`No browser: ${missing}.`)
  const args = [`--host-resolver-rules=MAP ${foreignHost} 127.0.0.1`]
  return chromium.launch({ executablePath: path, args })
}

export type PageOptions = BrowserContextOptions & {
  /** Wallet injected before the page's own scripts, including after a reload. */
  wallet?: TestWallet
  /** Folder whose files are served, instead of a server, for requests to the page's host. */
  files?: string
}

/** A content security policy as strict as the server's. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'"

/** Opens an address in a new profile and waits until it has loaded. The default size is 1440 by 900 pixels. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}) {
  const { wallet, files, ...look } = options
  const viewport = { width: 1440, height: 900 }
  // Reduces motion, since colours have intermediate values during a transition.
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...look })
  /** Script and console errors so far, including CSP violations, and requests to other hosts. */
  const complaints: string[] = []
  const complainOfOthers = (address: string) => {
    const { protocol, host, href } = new URL(address)
    if (/^(?:http|ws)s?:$/.test(protocol) && host !== new URL(url).host)
      complaints.push(`request to another host: ${href}`)
  }
  // Covers requests from all pages and workers, including those that the CSP blocks.
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

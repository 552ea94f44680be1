import type { Browser, Page } from 'playwright-core'
import type { TestWallet } from './testWallet.ts'

/** How a page is looked at; everything may be left out. */
export type PageOptions = {
  colorScheme?: 'light' | 'dark'
  /** In CSS pixels; absent: 1440 by 900. */
  viewport?: { width: number; height: number }
  /** The browser's language; absent: `en-US`. */
  locale?: string
  /** How many times slower the page's processor is. */
  cpuSlowdown?: number
  /** Is there before the page's own scripts, also after a reload. */
  wallet?: TestWallet
}

/** A page in a profile of its own. */
export type OpenPage = {
  page: Page
  /** What has gone wrong so far: errors of scripts and of the console (violations of the CSP among them), requests to other hosts. */
  complaints: readonly string[]
  /**
   * Fails on any complaint that does not match `expected`.
   *
   * @throws {TypeError} with all of them.
   */
  expectQuiet(expected?: RegExp): void
  close(): Promise<void>
}

/** Opens an address in a fresh profile and waits until it has loaded. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<OpenPage> {
  const { cpuSlowdown = 1, wallet, ...look } = options
  // In the middle of a transition a colour is neither the one before nor the one after.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...look,
  })
  const complaints: string[] = []
  // The console names the status alone.
  const failures: string[] = []
  const { host } = new URL(url)
  // Of all pages and workers, and of what the CSP stops on its way.
  context.on('request', (request) => {
    const to = new URL(request.url())
    if (/^(?:http|ws)s?:$/.test(to.protocol) && to.host !== host) complaints.push(`request to another host: ${to.href}`)
  })
  context.on('weberror', (error) => complaints.push(`page error: ${error.error().stack}`))
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url, lineNumber } = message.location()
    complaints.push(`console: ${message.text()} (${url}:${lineNumber})`)
  })
  context.on('response', async (response) => {
    if (response.status() < 500) return
    const body = await response.text().catch(() => '')
    failures.push(`${response.status()} ${response.url()} ${body}`)
  })
  const page = await context.newPage()
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== host) complaints.push(`request to another host: ${socket.url()}`)
  })
  if (cpuSlowdown !== 1) {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  }
  await wallet?.joinContext(context)
  await page.goto(url)
  return {
    page,
    complaints,
    expectQuiet(expected) {
      const unexpected = complaints.filter((complaint) => !expected?.test(complaint))
      if (unexpected.length > 0)
        throw new TypeError(`The page is not quiet:\n${[...unexpected, ...failures].join('\n')}`)
    },
    close: () => context.close(),
  }
}

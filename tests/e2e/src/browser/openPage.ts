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
  /** Errors of scripts and of the console so far (violations of the CSP among them), and requests to other hosts. */
  complaints: readonly string[]
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
  const { host } = new URL(url)
  const complainOf = (address: string) => complaints.push(`request to another host: ${address}`)
  // Of all pages and workers, and of what the CSP stops on its way.
  context.on('request', (request) => {
    const to = new URL(request.url())
    if (/^(?:http|ws)s?:$/.test(to.protocol) && to.host !== host) complainOf(to.href)
  })
  context.on('weberror', (error) => complaints.push(`page error: ${error.error().stack}`))
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    const { url, lineNumber } = message.location()
    complaints.push(`console: ${message.text()} (${url}:${lineNumber})`)
  })
  const page = await context.newPage()
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== host) complainOf(socket.url())
  })
  if (cpuSlowdown !== 1) {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  }
  await wallet?.joinContext(context)
  await page.goto(url)
  return { page, complaints, close: () => context.close() }
}

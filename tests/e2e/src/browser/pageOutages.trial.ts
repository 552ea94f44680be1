import { borrowers } from '@firmquote/devnet'
import type { ServiceHealth } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { drawCells } from './drawCells.ts'
import { connectWallet } from './pageActions.ts'
import { createPageClock } from './pageClock.ts'
import { states } from './views.ts'
import { type Watched, watchElements } from './watchElements.ts'

// Tests 30-second outages of every kind in every view. One banner must report the outage and remain visible, nothing
// else may appear or disappear, no placeholder or error may replace content, and the page must recover automatically. A
// round tests one state with one outage, both drawn from the seed.

type Outage = { outage: string; title: RegExp; begin(page: Page): Promise<unknown>; end(page: Page): Promise<unknown> }

const api = '**/api/v1/**'
const free = (page: Page) => page.unroute(api)
const outages: readonly Outage[] = [
  {
    outage: 'no connection',
    title: /^The service isn't responding/,
    begin: (page) => page.route(api, (route) => route.abort()),
    end: free,
  },
  {
    outage: 'a proxy without its service',
    title: /^The service isn't responding/,
    begin: (page) => page.route(api, (route) => route.fulfill({ status: 502, body: 'Bad gateway' })),
    end: free,
  },
  {
    outage: 'no network',
    title: /^You're offline/,
    begin: (page) => page.context().setOffline(true),
    end: (page) => page.context().setOffline(false),
  },
  {
    outage: 'a service behind its chain',
    title: /^The service is behind the chain/,
    begin: (page) =>
      page.route('**/api/v1/health', async (route) => {
        const health = (await (await fetch(route.request().url())).json()) as ServiceHealth
        const behind = { ...health, status: 'degraded', sync: { ...health.sync, lagSeconds: 125 } }
        // The call fails if the page has been closed, which does not matter.
        await route.fulfill({ json: behind }).catch(() => {})
      }),
    // Lets pending responses complete first.
    end: (page) => page.unrouteAll({ behavior: 'wait' }),
  },
]

// Excludes running auctions, which end during the outage, and missing content, which cannot stay on display.
const steady = states.filter(({ name }) => name !== 'running auction' && !name.startsWith('unknown'))
const cells = steady.flatMap((state) => outages.map((outage) => ({ ...outage, state })))
const noise = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|502/

describeInDemo('30 seconds of an outage', {}, ({ open, demo, createWallet }) => {
  test.each(drawCells(cells))('default: $state.name, $outage', async ({ state, outage, title, begin, end }) => {
    // The wallet has its own connection to the chain.
    const wallet = createWallet(borrowers[0].address)
    const page = await open('/', { wallet, noise })
    if (state.wallet) await connectWallet(page, 'Test Wallet')
    await page.goto(demo().url + (await state.path(demo())))
    await page.clock.install()
    const clock = createPageClock(page)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    // Waits until the wallet, all parts of the view and its figures have stopped changing.
    if (state.wallet) await page.getByRole('button', { name: /^0x[\da-f]{4}…/i }).waitFor()
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-busy="true"]') === null &&
        ![...document.querySelectorAll('main p')].some(({ textContent }) => textContent === '…'),
    )
    await page.waitForLoadState('networkidle')
    await begin(page)
    const banner = page.getByRole('region', { name: title })
    await clock.passUntil(banner, 1, 60)
    await page.evaluate(watchElements)
    await clock.pass(30)
    const { moved, flickers } = await page.evaluate(() => (globalThis as unknown as Watched).watched)
    process.stdout.write(`${state.name}, ${outage}: ${moved.length} elements came or went, ${flickers} flickers\n`)
    expect(flickers).toBe(0)
    expect(await banner.count()).toBe(1)
    // A service that lags behind the chain still responds, and its responses may change.
    if (outage !== 'a service behind its chain') expect(moved).toEqual([])
    await end(page)
    await clock.passUntil(banner, 0, 30)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage } from './openPage.ts'
import { createPageClock } from './pageClock.ts'
import { type Demo, startDemo } from './startDemo.ts'

const noise = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|503/

describeInBrowser('an outage', (browser) => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo()
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  test('default: one banner for all of 30 seconds, nothing else comes or goes, and the page recovers by itself', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), demo.url)
    await page.clock.install()
    const clock = createPageClock(page)
    await page.reload()
    await settled(page)
    let asked = 0
    await page.route('**/api/v1/**', (route) => {
      asked += 1
      return route.abort()
    })
    const banner = page.getByRole('region', { name: 'The service does not answer' })
    await clock.pass(15)
    await banner.waitFor()
    await expectAccessible(page)
    const before = await page.locator('main').ariaSnapshot()
    await page.evaluate(watchElements)
    asked = 0
    await clock.pass(30)
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(await banner.count()).toBe(1)
    expect(await banner.textContent()).toMatch(/What you see is \d+ seconds old or older\./)
    expect(await page.evaluate(() => (globalThis as unknown as Watched).moved)).toEqual([])
    expect(withoutTime(await page.locator('main').ariaSnapshot())).toBe(withoutTime(before))

    await page.unroute('**/api/v1/**')
    await clock.pass(10)
    await banner.waitFor({ state: 'detached' })
    expectQuiet(noise)
    await close()
  }, 60_000)

  test('behavior: without a network it says so, also on a page that had no answer yet', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), demo.url)
    await settled(page)
    await page.context().setOffline(true)
    await page.getByRole('region', { name: 'You are offline' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByRole('region', { name: 'You are offline' }).waitFor({ state: 'detached' })

    await page.route('**/api/v1/**', (route) => route.abort())
    await page.reload()
    await page.getByRole('region', { name: 'The service does not answer' }).waitFor()
    const waiting = page.getByText('This comes as soon as the service answers.')
    await waiting.waitFor()
    await page.unroute('**/api/v1/**')
    await waiting.waitFor({ state: 'detached' })
    expectQuiet(noise)
    await close()
  }, 60_000)

  test('behavior: as soon as the network goes, the health of the service is asked for, and nothing else', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), demo.url)
    await page.clock.install()
    const clock = createPageClock(page)
    await page.reload()
    await settled(page)
    await page.clock.pauseAt(Date.now() + 60_000)
    let asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    // What is asked for every thirty seconds has been, a few seconds ago: its turn does not fall into what follows.
    while (!asked.some((path) => path.includes('/pools'))) await clock.pass(1)
    for (let quiet = 0; quiet < 5; ) {
      asked = []
      await clock.pass(1)
      quiet = asked.some((path) => path !== '/api/v1/health') ? 0 : quiet + 1
    }
    asked = []
    await page.context().setOffline(true)
    const banner = page.getByRole('region', { name: 'You are offline' })
    for (let step = 0; step < 20 && (await banner.count()) === 0; step += 1) await page.clock.runFor(50)
    expect(await banner.count()).toBe(1)
    expect(new Set(asked)).toEqual(new Set(['/api/v1/health']))
    expectQuiet(noise)
    await close()
  }, 60_000)

  test('behavior: a service that is behind says by how much, and a newer page can be loaded once it is back', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), demo.url)
    await page.clock.install()
    const clock = createPageClock(page)
    await page.reload()
    await settled(page)
    await page.route('**/api/v1/health', async (route) => {
      const answer = await route.fetch()
      const health = await answer.json()
      const sync = { ...health.sync, lagSeconds: 125 }
      await route.fulfill({ json: { ...health, status: 'degraded', sync, backers: { connected: 2 } } })
    })
    const behind = page.getByRole('region', { name: 'The service is behind the chain' })
    await clock.passUntil(behind, 1, 30)
    expect(await behind.textContent()).toContain('2 minutes old')
    await page.unroute('**/api/v1/health')
    await clock.passUntil(behind, 0, 30)

    await page.route('**/api/v1/**', (route) => route.abort())
    await clock.passUntil(page.getByRole('region', { name: 'The service does not answer' }), 1, 60)
    await page.route(`${demo.url}/`, async (route) => {
      const html = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'text/html',
        body: html.replace(/\/assets\/index-[^"]+\.js/, '/assets/index-newer.js'),
      })
    })
    await page.unroute('**/api/v1/**')
    const newer = page.getByRole('region', { name: 'There is a newer version of this page' })
    await clock.passUntil(newer, 1, 30)
    await page.unroute(`${demo.url}/`)
    await newer.getByRole('button', { name: 'Load it' }).click()
    await newer.waitFor({ state: 'detached' })
    await settled(page)
    expectQuiet(noise)
    await close()
  }, 60_000)
})

type Watched = { moved: string[] }

/** Waits until all panels of the page hold something. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
}

/** Runs in the page: keeps which elements come or go. What ticks changes its text alone. */
function watchElements(): void {
  const moved: string[] = []
  Object.assign(globalThis, { moved } satisfies Watched)
  new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes, target } of changes) {
      for (const node of [...addedNodes, ...removedNodes]) {
        if (node instanceof Element) moved.push(`${node.outerHTML.slice(0, 80)} in ${(target as Element).className}`)
      }
    }
  }).observe(document.body, { childList: true, subtree: true })
}

function withoutTime(text: string): string {
  return text.replace(/\d+ (?:second|minute|hour)s? ago|in \d+ \w+/g, 'some time')
}

import { expect, test } from '@jest/globals'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { settled } from './pageActions.ts'
import { createPageClock } from './pageClock.ts'
import { type Watched, watchElements } from './watchElements.ts'

const noise = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|503/

describeInDemo('an outage', {}, ({ open, demo }) => {
  /** Opens the home view with a clock that the test controls. */
  async function openWithClock() {
    const page = await open('/', { noise })
    await page.clock.install()
    const clock = createPageClock(page)
    await page.reload()
    await settled(page)
    return { page, clock }
  }

  test('default: shows one banner for the whole 30 seconds, changes nothing else, and recovers automatically', async () => {
    const { page, clock } = await openWithClock()
    let asked = 0
    await page.route('**/api/v1/**', (route) => {
      asked += 1
      return route.abort()
    })
    const banner = page.getByRole('region', { name: "The service isn't responding" })
    await clock.pass(15)
    await banner.waitFor()
    await expectAccessible(page)
    const before = await page.locator('main').ariaSnapshot()
    await page.evaluate(watchElements)
    asked = 0
    await clock.pass(30)
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(await banner.count()).toBe(1)
    expect(await banner.textContent()).toMatch(/This page is at least \d+ seconds out of date\./)
    expect(await page.evaluate(() => (globalThis as unknown as Watched).watched.moved)).toEqual([])
    expect(withoutTime(await page.locator('main').ariaSnapshot())).toBe(withoutTime(before))

    await page.unroute('**/api/v1/**')
    await clock.pass(10)
    await banner.waitFor({ state: 'detached' })
  })

  test('behavior: reports a missing network, even on a page without any answer so far', async () => {
    const page = await open('/', { noise })
    await settled(page)
    await page.context().setOffline(true)
    await page.getByRole('region', { name: "You're offline" }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByRole('region', { name: "You're offline" }).waitFor({ state: 'detached' })

    await page.route('**/api/v1/**', (route) => route.abort())
    await page.reload()
    await page.getByRole('region', { name: "The service isn't responding" }).waitFor()
    const waiting = page.getByText('Waiting for the service.')
    await waiting.waitFor()
    await page.unroute('**/api/v1/**')
    await waiting.waitFor({ state: 'detached' })
  })

  test('behavior: reports within 8 seconds that the service does not answer', async () => {
    const { page } = await openWithClock()
    await page.route('**/api/v1/**', () => {})
    await page.reload({ waitUntil: 'load' })
    const banner = page.getByRole('region', { name: "The service isn't responding" })
    let seconds = 0
    for (; seconds < 60 && (await banner.count()) === 0; seconds += 1) await page.clock.runFor(1_000)
    process.stdout.write(`reported after ${seconds} s\n`)
    expect(seconds).toBeLessThanOrEqual(8)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('behavior: says that a view cannot be loaded offline, and loads the view once there is a network', async () => {
    const page = await open('/', { noise })
    await settled(page)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'How it works' }).first().click()
    const main = page.getByRole('main')
    await main.getByText("You're offline. This page loads when you reconnect.").waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await main.getByText("Couldn't load the page").waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Risks' }).waitFor()
  })

  test("behavior: when the network is lost, requests only the service's health", async () => {
    const { page, clock } = await openWithClock()
    await page.clock.pauseAt(Date.now() + 60_000)
    let asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    // Waits for a query with a 30-second interval, so that the query's next run does not affect the following steps.
    while (!asked.some((path) => path.includes('/pools'))) await clock.pass(1)
    for (let quiet = 0; quiet < 5; ) {
      asked = []
      await clock.pass(1)
      quiet = asked.some((path) => path !== '/api/v1/health') ? 0 : quiet + 1
    }
    asked = []
    await page.context().setOffline(true)
    const banner = page.getByRole('region', { name: "You're offline" })
    for (let step = 0; step < 20 && (await banner.count()) === 0; step += 1) await page.clock.runFor(50)
    expect(await banner.count()).toBe(1)
    expect(new Set(asked)).toEqual(new Set(['/api/v1/health']))
  })

  test('behavior: shows how far the service is behind, and offers a newer page once the service recovers', async () => {
    const { page, clock } = await openWithClock()
    await page.route('**/api/v1/health', async (route) => {
      const answer = await route.fetch()
      const health = await answer.json()
      const sync = { ...health.sync, lagSeconds: 125 }
      await route.fulfill({ json: { ...health, status: 'degraded', sync, backers: { connected: 2 } } })
    })
    const behind = page.getByRole('region', { name: 'The service is behind the chain' })
    await clock.passUntil(behind, 1, 30)
    expect(await behind.textContent()).toContain('2 minutes out of date')
    await page.unroute('**/api/v1/health')
    await clock.passUntil(behind, 0, 30)

    await page.route('**/api/v1/**', (route) => route.abort())
    await clock.passUntil(page.getByRole('region', { name: "The service isn't responding" }), 1, 60)
    await page.route(`${demo().url}/`, async (route) => {
      const html = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'text/html',
        body: html.replace(/\/assets\/index-[^"]+\.js/, '/assets/index-newer.js'),
      })
    })
    await page.unroute('**/api/v1/**')
    const newer = page.getByRole('region', { name: 'A new version of this page is available' })
    await clock.passUntil(newer, 1, 30)
    await page.unroute(`${demo().url}/`)
    await newer.getByRole('button', { name: 'Reload' }).click()
    await newer.waitFor({ state: 'detached' })
    await settled(page)
  })
})

function withoutTime(text: string): string {
  return text.replace(/\d+ (?:second|minute|hour)s? ago|in \d+ \w+/g, 'some time')
}

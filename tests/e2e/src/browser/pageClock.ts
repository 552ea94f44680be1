import { expect } from '@jest/globals'
import type { Locator, Page, Request } from 'playwright-core'

/**
 * Controls a page's installed clock. After advancing each second, waits until all of the page's requests are answered.
 * Otherwise, requests would time out before a slow machine responds to them.
 */
export function createPageClock(page: Page) {
  const waiting = new Set<Request>()
  let answered = () => {}
  page.on('request', (request) => {
    // A stream stays open until its auction ends.
    if (!new URL(request.url()).pathname.endsWith('/stream')) waiting.add(request)
  })
  const ended = (request: Request) => {
    waiting.delete(request)
    if (waiting.size === 0) answered()
  }
  page.on('requestfinished', ended).on('requestfailed', ended)

  const passSecond = async () => {
    await page.clock.runFor(1_000)
    if (waiting.size === 0) return
    await new Promise<void>((resolve) => {
      answered = resolve
    })
  }
  return {
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) await passSecond()
    },
    /** Advances the clock by at most this many seconds, until `count` elements match. */
    async passUntil(what: Locator, count: number, seconds: number) {
      for (let second = 0; second < seconds && (await what.count()) !== count; second += 1) await passSecond()
      expect(await what.count()).toBe(count)
    },
  }
}

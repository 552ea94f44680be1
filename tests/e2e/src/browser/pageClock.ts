import { expect } from '@jest/globals'
import type { Locator, Page, Request } from 'playwright-core'

/**
 * Moves the clock of a page, which must be installed. In each second that a test lets pass, all of the page's requests are answered:
 * otherwise the time limit of a request would be over before a slow machine has its answer.
 */
export function createPageClock(page: Page) {
  const waiting = new Set<Request>()
  let answered = () => {}
  page.on('request', (request) => {
    // A stream ends with its auction.
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
    /** Lets at most this many seconds pass, until there are `count` of something. */
    async passUntil(what: Locator, count: number, seconds: number) {
      for (let second = 0; second < seconds && (await what.count()) !== count; second += 1) await passSecond()
      expect(await what.count()).toBe(count)
    },
  }
}

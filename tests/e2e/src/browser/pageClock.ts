import { expect } from '@jest/globals'
import type { Locator, Page, Request } from 'playwright-core'

/** Lets seconds pass on a page's clock, beside those that pass by themselves. */
export type PageClock = {
  pass(seconds: number): Promise<void>
  /** Lets at most so many seconds pass, until there are `count` of something. */
  passUntil(what: Locator, count: number, seconds: number): Promise<void>
}

/**
 * Takes the clock of a page, which must be installed. In each second that a test lets pass everything is answered that the page has
 * asked for: otherwise the time limit of a request would be over before a slow machine has its answer.
 */
export function createPageClock(page: Page): PageClock {
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
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) await passSecond()
    },
    async passUntil(what, count, seconds) {
      for (let second = 0; second < seconds && (await what.count()) !== count; second += 1) await passSecond()
      expect(await what.count()).toBe(count)
    },
  }
}

import { afterAll, beforeAll, describe } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { findBrowser } from '../../../../scripts/findBrowser.mjs'
import { launchBrowser } from './launchBrowser.ts'

/**
 * `describe` with one browser for all of its tests, in a file named `….browser.test.ts`. Where there is no browser they are
 * skipped, with the reason in their name, and the run's last lines list them.
 */
export function describeInBrowser(name: string, tests: (browser: () => Browser) => void): void {
  let browser: Browser
  const define = () => {
    beforeAll(async () => {
      browser = await launchBrowser()
    }, 60_000)
    afterAll(() => browser.close(), 30_000)
    tests(() => browser)
  }
  const { missing } = findBrowser()
  if (missing === undefined) describe(name, define)
  else describe.skip(`${name} [no browser: ${missing}]`, define)
}

import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { Address } from 'viem'
import { base } from 'viem/chains'
import { findBrowser } from '../../../../scripts/findBrowser.mjs'
import { launchBrowser, openPage, type PageOptions } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { createTestWallet, type TestWallet } from './testWallet.ts'

// Views wait for auctions and blocks, and the machine may be busy.
jest.setTimeout(90_000)

/** A browser shared by all tests of a `describe`. */
export type BrowserFixture = {
  browser(): Browser
  /**
   * Opens an address in a new profile, which is closed after the test. The test fails if the page reports an error that
   * does not match `noise`.
   */
  open(url: string, options?: PageOptions & { noise?: RegExp }): Promise<Page>
}

/** A browser and a demo shared by all tests of a `describe`. `open` also accepts paths on the demo's server. */
export type DemoFixture = BrowserFixture & {
  demo(): Demo
  createWallet(address: Address, more?: Partial<Parameters<typeof createTestWallet>[0]>): TestWallet
}

/**
 * `describe` with a {@link BrowserFixture}, for files named `….browser.test.ts`. If there is no browser, the tests are
 * skipped with the reason in their names, and listed at the end of the run.
 */
export function describeInBrowser(name: string, tests: (fixture: BrowserFixture) => void): void {
  let browser: Browser
  const opened: (Awaited<ReturnType<typeof openPage>> & { noise: RegExp | undefined })[] = []
  const define = () => {
    beforeAll(async () => {
      browser = await launchBrowser()
    })
    afterAll(() => browser.close(), 30_000)
    afterEach(async () => {
      const pages = opened.splice(0)
      for (const { close } of pages) await close()
      expect(pages.flatMap(({ complaints, noise }) => complaints.filter((one) => !noise?.test(one)))).toEqual([])
    })
    tests({
      browser: () => browser,
      async open(url, { noise, ...options } = {}) {
        const page = await openPage(browser, url, options)
        opened.push({ ...page, noise })
        return page.page
      },
    })
  }
  const { missing } = findBrowser()
  if (missing === undefined) describe(name, define)
  else describe.skip(`${name} [no browser: ${missing}]`, define)
}

/** {@link describeInBrowser} with a demo. `environment` applies to all of the demo's programs. */
export function describeInDemo(
  name: string,
  environment: Record<string, string>,
  tests: (fixture: DemoFixture) => void,
  program?: 'sources' | 'built',
): void {
  describeInBrowser(name, ({ browser, open }) => {
    let demo: Demo
    beforeAll(async () => {
      demo = await startDemo(environment, program)
    }, 60_000)
    afterAll(() => demo?.stop(), 30_000)
    tests({
      browser,
      open: (path, options) => open(path.startsWith('/') ? demo.url + path : path, options),
      demo: () => demo,
      createWallet: (address, more) => createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address, ...more }),
    })
  })
}

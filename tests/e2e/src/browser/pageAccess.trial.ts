import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { connectWallet } from './connectWallet.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { drawCells } from './drawCells.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage, type PageOptions } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { states } from './states.ts'

// Every state of every view, as every visitor may see it, at five widths. A round is one state in one look, drawn by the seed:
// `npm run trials -- --rounds 100 pageAccess` plays all.

type Look = { look: string; options?: PageOptions; prepare?(page: Page): Promise<void> }

const looks: readonly Look[] = [
  { look: 'light', options: { colorScheme: 'light' } },
  { look: 'dark', options: { colorScheme: 'dark' } },
  { look: 'forced colours', prepare: (page) => page.emulateMedia({ forcedColors: 'active' }) },
  { look: 'motion', prepare: (page) => page.emulateMedia({ reducedMotion: 'no-preference' }) },
  { look: 'German', options: { locale: 'de-DE' } },
  { look: 'letters of twice the size', prepare: doubleLetters },
]
const widths = [1920, 1280, 900, 390, 320]
const cells = states.flatMap((state) => looks.map((look) => ({ ...look, state })))

describeInBrowser('every state of the page for everybody', (browser) => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo()
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  test.each(drawCells(cells))(
    'default: $state.name, $look',
    async ({ state, options, prepare }) => {
      const { page, expectQuiet, close } = await openPage(browser(), demo.url, options)
      try {
        if (state.wallet) await connectWallet(page, 'Demo account')
        await prepare?.(page)
        await page.goto(demo.url + (await state.path(demo)))
        await page.reload()
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          await page.waitForFunction(() => document.querySelector('main')?.textContent !== '')
          await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
          await expectAccessible(page)
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        }
        // What does not exist is answered with 404.
        expectQuiet(/404/)
      } finally {
        await close()
      }
    },
    120_000,
  )
})

/** A visitor's setting of the browser, which holds from the next load on. */
async function doubleLetters(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
}

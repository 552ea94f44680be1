import { test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { drawCells } from './drawCells.ts'
import { expectFits } from './expectAccessible.ts'
import type { PageOptions } from './openPage.ts'
import { connectWallet } from './pageActions.ts'
import { states } from './views.ts'

// Tests every state of every view, for every kind of visitor, at five widths. A round tests one state for one kind of
// visitor, both drawn from the seed. `npm run trials -- --rounds 100 pageAccess` covers all combinations.

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

describeInDemo('every state of the page for everybody', {}, ({ open, demo }) => {
  test.each(drawCells(cells))('default: $state.name, $look', async ({ state, options, prepare }) => {
    // A missing resource returns 404.
    const page = await open('/', { ...options, noise: /404/ })
    if (state.wallet) await connectWallet(page, 'Demo account')
    await prepare?.(page)
    await page.goto(demo().url + (await state.path(demo())))
    await page.reload()
    await page.waitForFunction(() => document.querySelector('main')?.textContent !== '')
    await expectFits(page, widths)
  })
})

/** Doubles the browser's font size, as a visitor may. The change takes effect at the next page load. */
async function doubleLetters(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
}

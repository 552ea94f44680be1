// Pictures of every view of the web client, to look at: on a phone and on a wide screen, in light and dark.
//   node tests/e2e/scripts/screenshots.ts [--out FOLDER] [URL of a running server; absent: one is started]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../src/browser/launchBrowser.ts'
import { openPage } from '../src/browser/openPage.ts'
import { startDemo } from '../src/browser/startDemo.ts'
import { views } from '../src/browser/views.ts'

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
const out = values.out ?? mkdtempSync(join(tmpdir(), 'firmquote-screenshots-'))
const [running] = positionals
const demo = running === undefined ? await startDemo() : undefined
const browser = await launchBrowser()
try {
  for (const { name, path } of views) {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const url = new URL(path, demo?.url ?? running).href
        const look = { colorScheme, viewport: { width, height } } as const
        const { page, complaints, close } = await openPage(browser, url, look)
        // What a panel waits for, it says.
        await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
        const file = join(out, `${name}-${width}-${colorScheme}.png`)
        await page.screenshot({ path: file, fullPage: true })
        console.log([file, ...complaints].join('\n  '))
        await close()
      }
    }
  }
} finally {
  await browser.close()
  await demo?.stop()
}

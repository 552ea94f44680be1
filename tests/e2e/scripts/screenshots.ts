// Takes screenshots for review at three widths, in light and dark mode: every view of the web app, and its components
// separately.
//   node tests/e2e/scripts/screenshots.ts [--out FOLDER] [URL of a running server; default: starts one]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildGallery } from '../src/browser/buildGallery.ts'
import { launchBrowser, openPage } from '../src/browser/openPage.ts'
import { startDemo } from '../src/browser/startDemo.ts'
import { views } from '../src/browser/views.ts'

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true })
const out = values.out ?? mkdtempSync(join(tmpdir(), 'firmquote-screenshots-'))
const [running] = positionals
const demo = running === undefined ? await startDemo() : undefined
const files = buildGallery()
const browser = await launchBrowser()
const shots = [
  ...views.map(({ name, path }) => ({ name, url: new URL(path, demo?.url ?? running).href, more: {} })),
  { name: 'gallery', url: 'http://localhost/gallery.html', more: { files } },
]
try {
  for (const { name, url, more } of shots) {
    for (const width of [390, 768, 1440]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const look = { colorScheme, viewport: { width, height: 900 }, ...more }
        const { page, complaints, close } = await openPage(browser, url, look)
        if (name === 'gallery') {
          for (const what of ['success', 'failure']) await page.getByText(`Tell of a ${what}`).click()
        } else await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
        const file = join(out, `${name}-${width}-${colorScheme}.png`)
        await page.screenshot({ path: file, fullPage: true })
        console.log([file, ...complaints].join('\n  '))
        await close()
      }
    }
  }
} finally {
  await browser.close()
  rmSync(files, { recursive: true })
  await demo?.stop()
}

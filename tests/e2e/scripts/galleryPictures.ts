// Pictures of the parts of the page, to look at: 390, 768 and 1280 pixels wide, in light and dark.
//   node tests/e2e/scripts/galleryPictures.ts [--out FOLDER]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launchBrowser } from '../src/browser/launchBrowser.ts'
import { openPage } from '../src/browser/openPage.ts'
import { serveGallery } from '../src/browser/serveGallery.ts'

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const out = values.out ?? mkdtempSync(join(tmpdir(), 'firmquote-gallery-'))
const gallery = await serveGallery()
const browser = await launchBrowser()
try {
  for (const width of [390, 768, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const look = { colorScheme, viewport: { width, height: 900 } } as const
      const { page, complaints, close } = await openPage(browser, `${gallery.url}/gallery.html`, look)
      await page.getByRole('button', { name: 'Tell of a success' }).click()
      await page.getByRole('button', { name: 'Tell of a failure' }).click()
      const file = join(out, `gallery-${width}-${colorScheme}.png`)
      await page.screenshot({ path: file, fullPage: true })
      console.log([file, ...complaints].join('\n  '))
      await close()
    }
  }
} finally {
  await browser.close()
  await gallery.close()
}

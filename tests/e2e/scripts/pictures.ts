// Renders the web app's bitmap icons (home screens, bookmarks, link previews) from its SVG icon.
//   node tests/e2e/scripts/pictures.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '../src/browser/openPage.ts'
import { root } from '../src/pack.ts'

const folder = join(root, 'apps/web/public')
const icon = readFileSync(join(folder, 'favicon.svg'), 'utf8')
const browser = await launchBrowser()

async function draw(width: number, height: number, html: string, isOpaque = false): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${html}`)
  const picture = await page.screenshot({ omitBackground: !isOpaque })
  await page.close()
  return picture
}

/** Converts a PNG image to an `.ico` file that contains it. */
function icoOf(png: Buffer, size: number): Buffer {
  // The file's header: the type (icon) with one image, then the width, height and colours, one plane with 32 bits per
  // pixel, the length and the offset.
  const head = Buffer.from([...[0, 0, 1, 0, 1, 0], ...[size, size, 0, 0], ...[1, 0, 32, 0], ...Array(8).fill(0)])
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

const square = (size: number) => icon.replace('<svg ', `<svg width="${size}" height="${size}" `)
const card = `<div style="box-sizing:border-box;width:1200px;height:630px;padding:110px;background:#0b5d4e;color:#fff;font:600 64px/1.25 sans-serif">
${square(150)}<p style="margin:56px 0 0">Fix the rate of a variable-rate debt</p>
<p style="margin:16px 0 0;font-size:36px;font-weight:400;color:#9fd8c8">Ask market makers, compare, take the best quote on-chain</p></div>`
try {
  for (const size of [192, 512]) writeFileSync(join(folder, `icon-${size}.png`), await draw(size, size, square(size)))
  writeFileSync(join(folder, 'favicon.ico'), icoOf(await draw(32, 32, square(32)), 32))
  writeFileSync(join(folder, 'preview.png'), await draw(1200, 630, card, true))
} finally {
  await browser.close()
}

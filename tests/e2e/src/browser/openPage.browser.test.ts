import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { firstContentfulPaint } from './firstContentfulPaint.ts'
import { openPage } from './openPage.ts'
import { serveLocalPages } from './serveLocalPages.ts'

const html = (body: string) => `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
<main><h1>A page</h1>${body}</main></html>`

const pages = {
  '/': html('<p>Text.'),
  '/faults': html('<img src="data:," width="9" height="9"><p style="color: #eee">Text.'),
  '/inline': html('<script>document.title = "never"</script>'),
  '/foreign': html('<script src="http://127.0.0.2:9/other.js"></script>'),
  '/throws': html('<script src="/throws.js"></script>'),
  '/throws.js': 'throw new TypeError("planted")',
  '/logs': html('<script src="/logs.js"></script>'),
  '/logs.js': 'console.warn("harmless"); console.error("planted")',
  '/missing': html('<script src="/nowhere.js"></script>'),
}

describeInBrowser('a page under test', (browser) => {
  let site: Awaited<ReturnType<typeof serveLocalPages>>
  beforeAll(async () => {
    site = await serveLocalPages(pages)
  })
  afterAll(() => site.close())

  test('default: a clean page is quiet and accessible, and has painted', async () => {
    const { page, complaints, expectQuiet, close } = await openPage(browser(), `${site.url}/`, {
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
    })
    await expectAccessible(page)
    expect(await firstContentfulPaint(page)).toBeGreaterThan(0)
    expect(await page.evaluate(() => [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches])).toEqual([
      390,
      true,
    ])
    expect(complaints).toEqual([])
    expectQuiet()
    await close()
  })

  test.each([
    ['/inline', /Content Security Policy/],
    ['/foreign', /request to another host: http:\/\/127\.0\.0\.2:9\/other\.js/],
    ['/throws', /page error: TypeError: planted/],
    ['/logs', /console: planted/],
    ['/missing', /404/],
  ])('error: %s is not quiet', async (path, complaint) => {
    const { complaints, expectQuiet, close } = await openPage(browser(), `${site.url}${path}`)
    expect(() => expectQuiet()).toThrow(complaint)
    expect(complaints.join()).not.toContain('harmless')
    expectQuiet(/./)
    await close()
  })

  test('error: axe-core names what is wrong, and where', async () => {
    const { page, close } = await openPage(browser(), `${site.url}/faults`)
    await expect(expectAccessible(page)).rejects.toThrow(/image-alt \(critical\).*\n {2}img .*\n {4}Fix/)
    await close()
  })

  test('behavior: a slower processor is slower', async () => {
    const work = (page: Page) =>
      page.evaluate(() => {
        const begun = performance.now()
        let sum = 0
        for (let i = 0; i < 2e7; i += 1) sum += Math.sqrt(i)
        return sum > 0 ? performance.now() - begun : 0
      })
    const fast = await openPage(browser(), `${site.url}/`)
    const slow = await openPage(browser(), `${site.url}/`, { cpuSlowdown: 4 })
    // Other programs of this machine may slow the fast one down as well, but not for ever.
    while ((await work(slow.page)) < 2 * (await work(fast.page))) {}
    await Promise.all([fast.close(), slow.close()])
  })
})

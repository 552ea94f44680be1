import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage } from './openPage.ts'
import { serveLocalPages } from './serveLocalPages.ts'

const html = (body: string) => `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">
<main><h1>A page</h1>${body}</main></html>`

const pages = {
  '/faults': html('<img src="data:," width="9" height="9"><p style="color: #eee">Text.'),
  '/inline': html('<script>document.title = "never"</script>'),
  '/foreign': html('<script src="http://127.0.0.2:9/other.js"></script>'),
  '/throws': html('<script src="/throws.js"></script>'),
  '/throws.js': 'throw new TypeError("planted")',
  '/logs': html('<script src="/logs.js"></script>'),
  '/logs.js': 'console.error("planted")',
  '/missing': html('<script src="/nowhere.js"></script>'),
}

// What all browser tests rely on: a fault of a page is seen.
describeInBrowser('a page with a planted fault', ({ browser, open }) => {
  let site: Awaited<ReturnType<typeof serveLocalPages>>
  beforeAll(async () => {
    site = await serveLocalPages(pages)
  })
  afterAll(() => site.close())

  test.each([
    ['/inline', /Content Security Policy/],
    ['/foreign', /request to another host: http:\/\/127\.0\.0\.2:9\/other\.js/],
    ['/throws', /page error: TypeError: planted/],
    ['/logs', /console: planted/],
    ['/missing', /404/],
  ])('error: %s is complained of', async (path, complaint) => {
    const { complaints, close } = await openPage(browser(), `${site.url}${path}`)
    expect(complaints.join()).toMatch(complaint)
    await close()
  })

  test('error: axe-core names what is wrong, and where', async () => {
    const page = await open(`${site.url}/faults`, { noise: /Content Security/ })
    await expect(expectAccessible(page)).rejects.toThrow(/image-alt \(critical\).*\n {2}img .*\n {4}Fix/)
  })
})

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { describeInBrowser } from './describeInBrowser.ts'
import { firstContentfulPaint } from './firstContentfulPaint.ts'
import { openPage } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'

describeInBrowser('what `npm start` serves', (browser) => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo()
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  test('default: the API can be read and tried at /docs, and nothing else is asked', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/docs`)
    await page
      .getByRole('heading', { name: /Firmquote/ })
      .first()
      .waitFor()
    expect(await firstContentfulPaint(page)).toBeGreaterThan(0)
    await page
      .locator('.opblock-summary', { hasText: /health/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    expectQuiet()
    await close()
  }, 60_000)

  test('behavior: the server alone stops, and comes back at the same address', async () => {
    const health = () => fetch(`${demo.url}/api/v1/health`).then(({ status }) => status)
    await demo.stopServer()
    await expect(health()).rejects.toThrow('fetch failed')
    await demo.startServer()
    expect(await health()).toBe(200)
    expect(demo.output()).not.toContain('ended by itself')
  }, 60_000)
})

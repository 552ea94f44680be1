import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { buildGallery } from './buildGallery.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage, type PageOptions } from './openPage.ts'
import { widthOf } from './pageActions.ts'

describeInBrowser('the parts of the page', ({ browser, open: openUrl }) => {
  let files: string
  beforeAll(() => {
    files = buildGallery()
  }, 60_000)
  afterAll(() => rmSync(files, { recursive: true }))

  const url = 'http://localhost/gallery.html'
  const open = (options?: PageOptions) => openUrl(url, { ...options, files })

  test('error: deliberate faults are reported, which all browser tests rely on', async () => {
    const { page, complaints, close } = await openPage(browser(), url, { files })
    await page.evaluate(() => {
      const [inline, foreign] = [document.createElement('script'), document.createElement('script')]
      inline.textContent = 'never()'
      foreign.src = 'http://127.0.0.2:9/other.js'
      document.body.append(new Image(), inline, foreign)
      setTimeout(() => {
        throw new TypeError('thrown')
      })
    })
    await expect(expectAccessible(page)).rejects.toThrow(/image-alt \(critical\)[\s\S]*<img>[\s\S]*Fix/)
    for (const fault of [
      /console: .*Content Security Policy/,
      /page error: TypeError: thrown/,
      /another host: http:\/\/127/,
    ]) {
      expect(complaints).toContainEqual(expect.stringMatching(fault))
    }
    await close()
  })

  test.each(['light', 'dark'] as const)(
    'default: accessible, without errors and not wider than the window from 320 to 1920 pixels, %s',
    async (colorScheme) => {
      const page = await open({ colorScheme })
      await page.getByRole('button', { name: 'Tell of a success' }).click()
      await page.getByRole('button', { name: 'Tell of a failure' }).click()
      for (const width of [1920, 900, 390, 320]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await widthOf(page)).toBeLessThanOrEqual(width)
      }
      await expectAccessible(page)
      // A visitor may double the browser's font size.
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
      expect(await widthOf(page)).toBeLessThanOrEqual(320)
    },
  )

  test('behavior: in forced colours, everything can still be distinguished by outlines', async () => {
    const page = await open()
    await page.emulateMedia({ forcedColors: 'active' })
    const outline = (name: string) =>
      page
        .getByRole('radio', { name })
        .locator('xpath=..')
        .evaluate((label) => getComputedStyle(label).outlineStyle)
    expect([await outline('21 Feb'), await outline('28 Dec')]).toEqual(['solid', 'none'])
  })

  test('behavior: chips are one keyboard stop, and unavailable ones are skipped', async () => {
    const page = await open()
    await page.getByRole('radio', { name: '21 Feb' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: '23 May' }).isChecked()).toBe(true)
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: '28 Dec' }).isChecked()).toBe(true)
  })

  test('behavior: a disclosure opens when something in it fails', async () => {
    const page = await open()
    const body = page.getByText('Each of the six checks')
    expect(await body.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Fail a check' }).click()
    await body.waitFor()
    await page.getByText('Safe to take').click()
    await body.waitFor({ state: 'hidden' })
  })

  test('behavior: the arrow keys move through the chart, including days without data', async () => {
    const page = await open()
    const day = page.getByRole('slider', { name: 'Day' })
    await day.focus()
    await page.keyboard.press('Home')
    expect(await day.getAttribute('aria-valuetext')).toMatch(
      /^22\u00a0Nov\u00a02025, floating \d\.\d\d%, fixed 6\.53%$/,
    )
    for (let days = 0; days < 160; days += 1) await page.keyboard.press('ArrowRight')
    expect(await day.getAttribute('aria-valuetext')).toBe('1\u00a0May\u00a02026, floating not known, fixed 6.53%')
  })

  test('behavior: the action is visible at every scroll position on a phone', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } })
    await page.getByRole('heading', { name: 'Review' }).scrollIntoViewIfNeeded()
    await page.getByRole('radio', { name: '21 Feb' }).scrollIntoViewIfNeeded()
    const box = await page.getByRole('button', { name: 'Fix at 6.53%' }).boundingBox()
    expect(box && [box.y >= 0, box.y + box.height <= 844]).toEqual([true, true])
  })

  describe('news', () => {
    test('default: a notice replaces one with the same name; success disappears automatically, and failure stays', async () => {
      const page = await open()
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.getByRole('button', { name: 'Tell of a sending' }).click()
      await page.getByRole('button', { name: 'Tell of a failure' }).click()
      await page.getByRole('button', { name: 'Tell of a success' }).click()
      const news = page.getByRole('region', { name: 'News' })
      expect(await news.getByText('Waiting for its block').count()).toBe(0)
      await page.mouse.move(0, 0)
      await page.clock.runFor(7_900)
      expect(await news.getByText('Your rate is fixed').count()).toBe(1)
      await page.clock.runFor(200)
      expect(await news.getByText('Your rate is fixed').count()).toBe(0)
      await page.clock.runFor(60_000)
      await news.getByRole('button', { name: 'Dismiss' }).click()
      expect(await news.getByText('It failed').count()).toBe(0)
    })
  })

  describe('what loads', () => {
    /** Presses a button, advances time in steps, and records each change of state. */
    async function watch(page: Page, name: string, milliseconds: number, step = 10): Promise<string[]> {
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.getByRole('button', { name: `Ask: ${name}` }).click()
      const seen: string[] = []
      for (let time = 0; time < milliseconds; time += step) {
        await page.clock.runFor(step)
        const state = await page.locator(`[data-example="${name}"]`).evaluate((example) => {
          if (example.querySelector('[role="alert"]')) return 'error'
          const bar = example.querySelector('[aria-busy="true"] > :last-child')
          if (!bar) return 'answer'
          return getComputedStyle(bar).visibility === 'hidden' ? 'nothing' : 'bars'
        })
        if (state !== seen.at(-1)?.split(' ')[0]) seen.push(`${state} ${time + step}`)
      }
      return seen
    }

    test('default: fast content shows no placeholder bars, and slow content shows them long enough to be seen', async () => {
      const page = await open()
      expect((await watch(page, 'quick', 300)).map((line) => line.split(' ')[0])).toEqual(['nothing', 'answer'])
      const other = await open()
      const seen = await watch(other, 'slow', 700)
      expect(seen.map((line) => line.split(' ')[0])).toEqual(['nothing', 'bars', 'answer'])
      const [, bars, answer] = seen.map((line) => Number(line.split(' ')[1]))
      expect((answer ?? 0) - (bars ?? 0)).toBeGreaterThanOrEqual(290)
      expect(bars ?? 0).toBeGreaterThanOrEqual(150)
    })

    test('error: an error stays visible during retries', async () => {
      const page = await open()
      const seen = await watch(page, 'failing', 2_600, 50)
      expect(seen.map((line) => line.split(' ')[0])).toEqual(['nothing', 'bars', 'error'])
    })
  })
})

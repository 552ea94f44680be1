import { expect } from '@jest/globals'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { settled, widthOf } from './pageActions.ts'

/** Fails when axe-core finds a violation on the page as it is now, of any of its rules, and says how to correct it. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half a megabyte takes long to send and to read.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  )
  const described = violations.map(({ id, impact, help, helpUrl, nodes }) => ({
    rule: `${id} (${impact}): ${help}, ${helpUrl}`,
    places: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }))
  expect({ url: page.url(), violations: described }).toEqual({ url: page.url(), violations: [] })
}

/** What differs between light and dark is colours, which the page takes from the browser's setting at once. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

/** Fails when the page is not accessible or makes the window scroll sideways at one of these widths. */
export async function expectFits(page: Page, widths = [390, 900, 1440], check = expectAccessible): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    await check(page)
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
  }
}

import { expect } from '@jest/globals'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { settled, widthOf } from './pageActions.ts'

/** Fails if the current page violates any axe-core rule. The error explains how to fix each violation. */
export async function expectAccessible(page: Page): Promise<void> {
  // The script is half a megabyte, which is slow to send and parse.
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

/** Checks light and dark mode. The two modes differ only in colours, which follow the browser's setting immediately. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

/** Fails if the page is not accessible, or scrolls sideways, at any of these widths. */
export async function expectFits(page: Page, widths = [390, 900, 1440], check = expectAccessible): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    await check(page)
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
  }
}

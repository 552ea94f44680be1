import { expect } from '@jest/globals'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { settled, widthOf } from './pageActions.ts'

/**
 * Fails when axe-core finds a violation on the page as it is now, of any of its rules.
 *
 * @throws {TypeError} with each violation: its rule, its elements, and how to correct them.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Once for a document: half a megabyte takes long to send and to read.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    const devtools = await page.context().newCDPSession(page)
    // A script element would be stopped by the page's CSP; what the debugger evaluates is not.
    await devtools.send('Runtime.evaluate', { expression: axe.source })
    await devtools.detach()
  }
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  )
  if (violations.length === 0) return
  const described = violations.map(({ id, impact, help, helpUrl, nodes }) => {
    const places = nodes.map(({ target, html, failureSummary }) =>
      [`  ${target.join(' ')}   ${html}`, ...(failureSummary ?? '').split('\n').map((line) => `    ${line}`)].join(
        '\n',
      ),
    )
    return [`${id} (${impact}): ${help}, ${helpUrl}`, ...places].join('\n')
  })
  throw new TypeError(`axe-core finds ${violations.length} violations on ${page.url()}:\n${described.join('\n')}`)
}

/** What differs between light and dark is colours, which the page takes from the browser's setting at once. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

/** Fails when the page is not accessible or makes the window scroll sideways at one of these widths. */
export async function expectFits(
  page: Page,
  {
    widths = [390, 900, 1440],
    check = expectAccessible,
  }: { widths?: readonly number[]; check?: (page: Page) => unknown } = {},
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    await check(page)
    expect(await widthOf(page)).toBeLessThanOrEqual(width)
  }
}

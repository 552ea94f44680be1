import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

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

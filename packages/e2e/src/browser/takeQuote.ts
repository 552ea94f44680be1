import type { Page } from 'playwright-core'

/** Takes the quote that is shown, step by step: each needs its allowance, the first one of an account the permission too. */
export async function takeQuote(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Allow .* for this offer$/ }).click()
  const permit = page.getByRole('button', { name: /^Let the market/ })
  const take = page.getByRole('button', { name: /^Take it for/ })
  await permit.or(take).waitFor()
  if (await permit.isVisible()) await permit.click()
  await take.click()
}

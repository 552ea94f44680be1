import type { Page } from 'playwright-core'

/** Takes the quote that is shown with one press: each needs its allowance, the first one of an account the permission too. */
export async function takeQuote(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Allow and take it for/ }).click()
}

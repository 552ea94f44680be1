import type { Page } from 'playwright-core'

/** Connects the wallet with this name, as a visitor does. */
export async function connectWallet(page: Page, name: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('banner').getByRole('button', { name: /^0x/ }).waitFor()
}

/** Finds the button that leads to the review of an auction's best quote. */
export const fixButton = (page: Page) => page.getByRole('link', { name: /^Fix at \d/ })

/** Opens the fields for the amount and the maximum rate of the debt that is open on the home view. */
export const changeTerms = (page: Page) => page.getByText('Change amount or set a max rate').click()

/** Starts an auction from the home view. */
export const getQuotes = (page: Page) => page.getByRole('button', { name: /^Get quotes \(\d+ s\)$/ }).click()

/**
 * Finds the button that grants the missing approvals (the allowance, and the first time also the authorization) and takes
 * the quote.
 */
export const allowAndTake = (page: Page) => page.getByRole('button', { name: /^Approve and fix for/ })

/** Waits until the page reports that the rate is fixed. */
export const isFixed = (page: Page) => page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()

/** Waits until a view has a heading and no panel is loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
}

/** Measures the content's width in CSS pixels. The window scrolls sideways if the content is wider. */
export const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

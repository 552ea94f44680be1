import type { Page } from 'playwright-core'

/** Connects the wallet of a name, as a visitor does. */
export async function connectWallet(page: Page, name: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('banner').getByRole('button', { name: /^0x/ }).waitFor()
}

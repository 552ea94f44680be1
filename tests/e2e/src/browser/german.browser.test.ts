import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'

describeInDemo('the page in German', {}, ({ open }) => {
  test('default: a German browser fixes a rate, in German words and numbers', async () => {
    const page = await open('/', { locale: 'de-DE' })
    await page.getByRole('banner').getByRole('button', { name: 'Wallet verbinden' }).click()
    await page.getByRole('button', { name: 'Demo account', exact: true }).click()
    const debt = page.getByRole('region', { name: 'tUSD gegen tWETH' })
    await debt.getByText(/^3\.000\.0\d\d tUSD Schuld$/).waitFor()
    await debt.getByText('statt heute 6,45\u00a0% variabel').waitFor()
    await expectAccessible(page)
    await debt.getByRole('link', { name: /^Jetzt \d{2,3}\.000 festschreiben$/ }).click()
    await page.getByRole('button', { name: /^Freigeben und für [\d.]+,\d\d tUSD festschreiben$/ }).click()
    await page.getByRole('heading', { name: 'Ihr Zins ist festgeschrieben' }).waitFor()
    await expectAccessible(page)
  })

  test('behavior: the visitor chooses language and number format, and both choices last', async () => {
    const page = await open('/#/markets', { locale: 'de-DE' })
    await shows(page, 'de', 'Märkte', '6,45\u00a0%')
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('en')
    await shows(page, 'en', 'Markets', '6.45%')
    await page.reload()
    await shows(page, 'en', 'Markets', '6.45%')
    await page.getByRole('combobox', { name: 'Number format' }).selectOption('de-DE')
    await shows(page, 'en', 'Markets', '6,45\u00a0%')
    await page.reload()
    await shows(page, 'en', 'Markets', '6,45\u00a0%')
  })
})

/** Waits for a heading and a variable rate. Checks the language of the document. */
async function shows(page: Page, language: string, title: string, rate: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('main').getByText(rate).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
}

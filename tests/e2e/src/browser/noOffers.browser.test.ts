import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'

describeInBrowser('an auction that nobody can answer', ({ open }) => {
  let stack: Stack
  const started = stopAfter(afterAll)
  beforeAll(async () => {
    stack = started(await startStack({ AUCTION_DURATION_MS: '1000' }))
  }, 60_000)

  test('error: reports whether no maker is connected or all quotes were rejected, and what to do', async () => {
    const page = await open(`${stack.url}/#/auction`)
    await page
      .getByRole('region', { name: 'No maker is connected' })
      .getByText('An auction would stay empty.')
      .waitFor()
    await page.getByLabel('Amount to fix').fill('250k')
    await page.getByRole('button', { name: /^Ask makers for/ }).click()
    await page.getByText('No maker was connected', { exact: true }).waitFor()
    await page.getByText('Ask again in a while.').waitFor()
    expect(await page.getByRole('link', { name: 'Review and take' }).count()).toBe(0)
    await expectAccessible(page)

    // This maker's offers expire before they arrive.
    const quote = () => ({ vrtAmount: 1_000_000n, deadline: 1n })
    const late = await startBacker(stack.url, stack.devnet.backers[0], { quote })
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByText('None of the answers was an offer that can be taken', { exact: true }).waitFor()
    await page
      .getByText("1 answer was refused by the service's checks. Try another term or a smaller amount.")
      .waitFor()
    expect(await page.getByRole('link', { name: 'Review and take' }).count()).toBe(0)
    await expectAccessible(page)
    late.stop()
  })
})

import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { fixButton, getQuotes } from './pageActions.ts'

describeInBrowser('an auction that nobody can answer', ({ open }) => {
  let stack: Stack
  const started = stopAfter(afterAll)
  beforeAll(async () => {
    stack = started(await startStack({ AUCTION_DURATION_MS: '1000' }))
  }, 60_000)

  test('error: reports whether no maker is connected or all quotes were rejected, and what to do', async () => {
    const page = await open(stack.url)
    await page
      .getByRole('region', { name: 'No makers are connected' })
      .getByText('Nobody can answer a request for quotes right now.')
      .waitFor()
    await page.getByLabel('Amount to fix').fill('250k')
    await page.getByText('No recent quotes. Request one: it takes seconds.').waitFor()
    await getQuotes(page)
    await page.getByText('No maker was connected', { exact: true }).waitFor()
    await page.getByText('Try again in a few minutes.').waitFor()
    expect(await fixButton(page).count()).toBe(0)
    await expectAccessible(page)

    // This maker's offers expire before they arrive.
    const quote = () => ({ vrtAmount: 1_000_000n, deadline: 1n })
    const late = await startBacker(stack.url, stack.devnet.backers[0], { quote })
    await page.getByRole('button', { name: 'Get new quotes' }).click()
    await page.getByText('No valid quotes', { exact: true }).waitFor()
    await page
      .getByText("1 answer failed the service's checks. Try another term, a smaller amount or a higher maximum rate.")
      .waitFor()
    expect(await fixButton(page).count()).toBe(0)
    await expectAccessible(page)
    late.stop()
  })
})

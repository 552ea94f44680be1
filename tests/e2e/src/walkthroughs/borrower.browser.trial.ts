import { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { describeInBrowser } from '../browser/describeInBrowser.ts'
import { startWalkthroughs, type Walkthroughs } from './walkthroughs.ts'

describeInBrowser('a borrower who has just heard of it', ({ browser }) => {
  let walkthroughs: Walkthroughs
  beforeAll(async () => {
    walkthroughs = await startWalkthroughs()
  }, 120_000)
  afterAll(() => walkthroughs?.stop(), 60_000)

  test('default: following start/borrower.md word for word results in a fixed rate on the page and on-chain', async () => {
    const { page } = await walkthroughs.follow('start/borrower.md', { browser })
    await page?.getByRole('main').getByText('250,000').first().waitFor()

    const client = new ServiceClient({ orderbookUrl: walkthroughs.url })
    const borrower = '0xBcd4042DE499D14e55001CcbB24a551F3b954096'
    // The service detects the take shortly after the borrower does.
    await waitUntil(async () => (await client.getPositions(borrower)).positions.length > 0)
    const { positions } = await client.getPositions(borrower)
    expect(positions.map(({ notional }) => notional)).toEqual([250_000_000_000n])
  }, 180_000)
})

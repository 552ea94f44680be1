import { borrowers } from '@firmquote/devnet'
import { test } from '@jest/globals'
import { listTerms, openPosition, travelTo } from './demoMarket.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { connectWallet, settled } from './pageActions.ts'

const [, plain] = borrowers

describeInDemo('pictures', {}, ({ open, demo, createWallet }) => {
  test('default: pictures', async () => {
    const terms = await listTerms(demo())
    const term = terms[1]
    const id = await openPosition(demo(), plain, term)
    const { timestamp } = await demo().chain.getBlock()
    await travelTo(demo(), Number(timestamp) + 30 * 86_400)
    const page = await open(`/#/position/${id}`, { wallet: createWallet(plain.address), noise: /./ })
    await connectWallet(page, 'Test Wallet')
    await page.getByText('Interest and cost').waitFor()
    await settled(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [390, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        await page.screenshot({ path: `/tmp/maturity_pics/running-${colorScheme}-${width}.png`, fullPage: true })
      }
    }
  })
})

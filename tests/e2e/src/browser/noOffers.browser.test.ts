import { ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { bytesToHex, zeroAddress } from 'viem'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage } from './openPage.ts'

describeInBrowser('an auction that nobody can answer', (browser) => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ AUCTION_DURATION_MS: '1000' })
  }, 60_000)
  afterAll(() => stack?.stop(), 30_000)

  /** A maker whose offers have run out before they arrive. */
  async function connectLateMaker(): Promise<() => void> {
    const [maker] = stack.devnet.backers
    const client = new ServiceClient({ orderbookUrl: stack.url })
    client.setPrivateKey(maker.privateKey)
    const socket = await client.connectWebSocket({
      onRFQ: async ({ rfqId, poolId, seriesKey, notional, taker = zeroAddress }) => {
        const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
        const terms = { maker: maker.address, taker, poolId, seriesKey, notional, vrtAmount: notional / 100n, salt }
        await expect(socket.submitQuote(rfqId, { ...terms, nonce: 0n, deadline: 1n })).rejects.toThrow()
      },
    })
    return () => client.disconnectWebSocket()
  }

  test('error: no maker is connected, or all that makers answer is refused: it says which, and what to do', async () => {
    const { page, expectQuiet, close } = await openPage(browser(), `${stack.url}/#/auction`)
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

    const disconnect = await connectLateMaker()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByText('None of the answers was an offer that can be taken', { exact: true }).waitFor()
    await page
      .getByText("1 answer was refused by the service's checks. Try another term or a smaller amount.")
      .waitFor()
    expect(await page.getByRole('link', { name: 'Review and take' }).count()).toBe(0)
    await expectAccessible(page)
    disconnect()
    expectQuiet()
    await close()
  }, 60_000)
})

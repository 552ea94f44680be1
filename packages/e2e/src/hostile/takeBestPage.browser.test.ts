// The same in the page: makers that are ranked first but cannot be taken, or offer dust, do not bend what a visitor takes.
//
// The attackers spend: two authenticated connections, the loan tokens of one quote each (which they keep), one transaction.
// Beside them are the demo's three daemons. Auctions last 4 seconds instead of 15.

import { backers, type DevnetAccount, devnetAddresses } from '@firmquote/devnet'
import { approveParameters, type QuoteMarketQuote, raiseNonceParameters, ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { bytesToHex, createPublicClient, createTestClient, createWalletClient, erc20Abi, http, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { connectWallet } from '../browser/connectWallet.ts'
import { describeInBrowser } from '../browser/describeInBrowser.testing.ts'
import { openPage } from '../browser/openPage.ts'
import { type Demo, startDemo } from '../browser/startDemo.ts'

describeInBrowser('makers that are ranked first', (browser) => {
  let demo: Demo
  const clients: ServiceClient[] = []
  beforeAll(async () => {
    demo = await startDemo({ AUCTION_DURATION_MS: '4000' })
  }, 60_000)
  afterAll(async () => {
    for (const client of clients) client.disconnectWebSocket()
    await demo?.stop()
  }, 30_000)

  async function mined({ privateKey }: DevnetAccount, call: object): Promise<void> {
    const options = { chain: base, transport: http(demo.rpcUrl) }
    const wallet = createWalletClient({ ...options, account: privateKeyToAccount(privateKey) })
    const hash = await wallet.writeContract(call as never)
    await createPublicClient({ ...options, pollingInterval: 50 }).waitForTransactionReceipt({ hash })
  }

  /** A maker with the money for one quote of `share`, who acts once the quote counts. */
  async function attack(notional: bigint, act: (account: DevnetAccount) => Promise<void>): Promise<DevnetAccount> {
    const privateKey = generatePrivateKey()
    const account = { privateKey, address: privateKeyToAccount(privateKey).address }
    const { loanToken } = devnetAddresses
    const chain = createTestClient({ mode: 'anvil', chain: base, transport: http(demo.rpcUrl) })
    await chain.setBalance({ address: account.address, value: 10n ** 18n })
    const token = { address: loanToken, abi: erc20Abi } as const
    await mined(backers[0], { ...token, functionName: 'transfer', args: [account.address, notional] })
    await mined(account, approveParameters({ loanToken, amount: notional }))
    const client = new ServiceClient({ orderbookUrl: demo.url })
    client.setPrivateKey(privateKey)
    clients.push(client)
    const socket = await client.connectWebSocket({
      onRFQ: async ({ rfqId, poolId, seriesKey, taker = zeroAddress, ...rfq }) => {
        const least = rfq.minNotional ?? 1n
        const quote: QuoteMarketQuote = {
          maker: account.address,
          taker,
          poolId,
          seriesKey,
          notional: notional < least ? least : notional,
          vrtAmount: 0n,
          nonce: 0n,
          deadline: BigInt(Math.floor(Date.now() / 1000) + 600),
          salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
        }
        await socket.submitQuote(rfqId, quote)
        await act(account)
      },
    })
    return account
  }

  test('behavior: the page takes the best that can be taken, and says how much is fixed', async () => {
    const attackers = [
      await attack(250_000_000_000n, (account) => mined(account, raiseNonceParameters())),
      await attack(25_000_000_000n, async () => {}),
    ].map(({ address }) => address)
    const { page, close } = await openPage(browser(), `${demo.url}/#/auction`)
    await connectWallet(page, 'Demo account')
    await page.getByLabel('Amount to fix').fill('250k')
    await page.getByText(/you take nothing above \d+\.\d+% APR/).waitFor()
    await page.getByRole('button', { name: 'Start the auction' }).click()
    await page.getByText('Auction closed', { exact: true }).waitFor()
    const auction = page.url()
    const { quotes } = await new ServiceClient({ orderbookUrl: demo.url }).getRfq(auction.slice(-32) as never)
    // Ranked first, both.
    expect(
      quotes
        .slice(0, 2)
        .map(({ quote }) => quote.maker)
        .sort(),
    ).toEqual([...attackers].sort())
    expect(quotes.length).toBeGreaterThan(2)

    const best = page.getByRole('row').filter({ hasText: 'best' })
    await best.waitFor()
    await best.getByRole('link', { name: 'Review and take' }).click()
    await page.getByRole('button', { name: /^Take it for/ }).click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    const [cheapest] = quotes.filter(({ quote }) => !attackers.includes(quote.maker))
    await page
      .getByText(cheapest?.quote.maker ?? 'nobody')
      .first()
      .waitFor()
    await page.goto(auction)
    await page.getByText(/Fixed: 250,000 tUSD of 250,000 tUSD in 1 take/).waitFor()
    await close()
  }, 90_000)
})

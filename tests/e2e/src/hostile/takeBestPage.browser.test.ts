// The same in the page: makers that are ranked first but cannot be taken, or offer dust, do not bend what a visitor takes.
//
// The attackers spend: two authenticated connections, the loan tokens of one quote each (which they keep), one transaction.
// Beside them are the demo's three daemons. Auctions last 6 seconds instead of 15.

import { backers, type DevnetAccount, devnetAddresses } from '@firmquote/devnet'
import { approveParameters, type QuoteMarketQuote, raiseNonceParameters, ServiceClient } from '@firmquote/sdk'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { bytesToHex, createPublicClient, createTestClient, createWalletClient, erc20Abi, http, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { connectWallet } from '../browser/connectWallet.ts'
import { describeInBrowser } from '../browser/describeInBrowser.ts'
import { expectAccessible } from '../browser/expectAccessible.ts'
import { openPage } from '../browser/openPage.ts'
import { type Demo, startDemo } from '../browser/startDemo.ts'
import { takeQuote } from '../browser/takeQuote.ts'

describeInBrowser('makers that are ranked first', (browser) => {
  let demo: Demo
  const clients: ServiceClient[] = []
  beforeAll(async () => {
    demo = await startDemo({ AUCTION_DURATION_MS: '6000' })
  }, 60_000)
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnectWebSocket()
  })
  afterAll(() => demo?.stop(), 30_000)

  async function mined({ privateKey }: DevnetAccount, call: object): Promise<void> {
    const options = { chain: base, transport: http(demo.rpcUrl) }
    const wallet = createWalletClient({ ...options, account: privateKeyToAccount(privateKey) })
    const hash = await wallet.writeContract(call as never)
    await createPublicClient({ ...options, pollingInterval: 50 }).waitForTransactionReceipt({ hash })
  }

  /** A maker with the money for one quote, who acts once the service has answered it; `cost` is what it asks for it, raw units. */
  async function connectMaker(
    notional: bigint,
    { cost = 0n, act }: { cost?: bigint; act?: (account: DevnetAccount) => Promise<void> },
  ): Promise<DevnetAccount> {
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
    const connectedAt = Date.now()
    const socket = await client.connectWebSocket({
      onRFQ: async ({ rfqId, poolId, seriesKey, taker = zeroAddress, ...rfq }) => {
        // The auction of a test before may be open still.
        if (rfq.openedAt < connectedAt) return
        const least = rfq.minNotional ?? 1n
        const quote: QuoteMarketQuote = {
          maker: account.address,
          taker,
          poolId,
          seriesKey,
          notional: notional < least ? least : notional,
          vrtAmount: cost,
          nonce: 0n,
          deadline: BigInt(Math.floor(Date.now() / 1000) + 600),
          salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
        }
        await socket.submitQuote(rfqId, quote)
        await act?.(account)
      },
    })
    return account
  }

  test('behavior: the page takes the best that can be taken, and says how much is fixed', async () => {
    const attackers = [
      await connectMaker(250_000_000_000n, { act: (account) => mined(account, raiseNonceParameters()) }),
      await connectMaker(25_000_000_000n, {}),
    ].map(({ address }) => address)
    const { page, close } = await openPage(browser(), `${demo.url}/#/auction`)
    await connectWallet(page, 'Demo account')
    await page.getByText(/^Still unfixed: /).waitFor()
    await page.getByLabel('Amount to fix').fill('250k')
    await page.getByText(/^up to \d+\.\d+% APR$/).waitFor()
    await page.getByRole('button', { name: /^Ask makers/ }).click()
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

    const best = page.getByRole('region', { name: 'Best offer' })
    await best.getByText('for 250,000 tUSD until', { exact: false }).waitFor()
    await best.getByRole('link', { name: 'Review and take' }).click()
    await takeQuote(page)
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    // The maker's whole address is folded away.
    await page.locator('summary', { hasText: 'Details' }).last().click()
    const [cheapest] = quotes.filter(({ quote }) => !attackers.includes(quote.maker))
    await page
      .getByText(cheapest?.quote.maker ?? 'nobody')
      .first()
      .waitFor()
    await page.goto(auction)
    await page.getByText(/Fixed: 250,000 tUSD of 250,000 tUSD in 1 take/).waitFor()
    await close()
  }, 90_000)

  test('behavior: two offers fix all of it together, one after the other; after the first the rest can be asked for', async () => {
    // Within the limit of 10 tUSD, which is too little for the demo's own makers.
    const larger = await connectMaker(150_000_000_000n, { cost: 5_000_000n })
    const smaller = await connectMaker(100_000_000_000n, { cost: 3_500_000n })
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/#/auction`)
    await page.context().grantPermissions(['notifications'])
    await page.evaluate(recordNotifications)
    await connectWallet(page, 'Demo account')
    // From here on nothing moves under the pointer.
    await page.getByText(/^Still unfixed: /).waitFor()
    await page.getByLabel('Amount to fix').fill('250k')
    await page.getByText('Most that you would pay').click()
    await page.getByLabel('Maximum total cost').fill('10')
    await page.getByRole('button', { name: /^Ask makers/ }).click()
    await page.getByRole('button', { name: 'Tell me when it closes' }).click()
    await page.getByText('Your browser will tell you when it closes', { exact: false }).waitFor()
    const best = page.getByRole('region', { name: 'Best offer' })
    await best.getByText('2 offers together fix all of it. You take one after the other.').waitFor()
    await page.waitForFunction(() => (globalThis as unknown as Notified).told.length === 2)
    const told = await page.evaluate(() => (globalThis as unknown as Notified).told)
    expect(told).toEqual([
      expect.stringMatching(/^Your browser will tell you/),
      expect.stringMatching(/^Your auction has closed: .*\d\.\d\d% APR/),
    ])
    await expectAccessible(page)

    const auction = page.url()
    const [first] = (await new ServiceClient({ orderbookUrl: demo.url }).getRfq(auction.slice(-32) as never)).quotes
    await best.getByRole('link', { name: 'Review and take' }).click()
    // What both come to together was said before: less than was asked for needs no word more.
    await page.getByText('Part 1 of 2 of the 250,000 tUSD that you asked for.').waitFor()
    await takeQuote(page)
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    const reviewed = page.url()
    await page.getByRole('link', { name: 'Review the next part' }).click()
    await page.getByText('Part 2 of 2 of the 250,000 tUSD that you asked for.').waitFor()
    await page.getByRole('button', { name: /^Allow and take it for/ }).waitFor()
    expect(page.url()).not.toBe(reviewed)
    await expectAccessible(page)
    // Without its part of the address it is an offer for less than was asked for, which is taken only by those who say so.
    await page.goto(page.url().replace(/\?.*/, ''))
    await page.getByRole('button', { name: /^Take 1[05]0,000 tUSD instead$/ }).waitFor()
    await page.goto(auction)
    const isLarger = first?.quote.maker === larger.address
    expect([larger.address, smaller.address]).toContain(first?.quote.maker)
    const [fixed, left] = isLarger ? ['150,000', '100,000'] : ['100,000', '150,000']
    await page.getByText(new RegExp(`^Fixed: ${fixed} tUSD of 250,000 tUSD in 1 take`)).waitFor()
    await best.getByText(`for ${left} tUSD until`, { exact: false }).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Ask for the rest' }).click()
    await page.getByRole('heading', { level: 1, name: new RegExp(`^Fix ${left} tUSD until`) }).waitFor()
    expect(page.url()).not.toBe(auction)
    expectQuiet()
    await close()
  }, 90_000)
})

type Notified = { told: string[] }

/** Runs in the page: keeps what the browser says that it has shown. */
function recordNotifications(): void {
  const told: string[] = []
  class Recorded extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options)
      this.addEventListener('show', () => told.push([this.title, this.body].filter(Boolean).join(': ')))
    }
  }
  Object.assign(globalThis, { told, Notification: Recorded })
}

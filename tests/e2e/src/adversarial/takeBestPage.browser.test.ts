// Repeats takeBest.test.ts with the web app. Top-ranked makers whose quotes cannot be taken, or that offer dust, do not
// distort which quotes a visitor takes.
//
// The attack requires two authenticated connections, the loan tokens for one quote each (which the attackers keep), and
// one transaction. The demo's three daemons compete. Auctions in these tests last 6 seconds instead of 15.

import { backers, type DevnetAccount, devnetAddresses, newcomers } from '@firmquote/devnet'
import { approveParameters, cancelQuoteParameters, raiseNonceParameters } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { erc20Abi } from 'viem'
import { requestOffer } from '../browser/demoMarket.ts'
import { describeInDemo } from '../browser/describeInBrowser.ts'
import { expectAccessible } from '../browser/expectAccessible.ts'
import { allowAndTake, changeTerms, connectWallet, fixButton, getQuotes, isFixed } from '../browser/pageActions.ts'
import { startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { createAccount } from './owe.ts'

describeInDemo('makers that are ranked first', { AUCTION_DURATION_MS: '6000' }, ({ open, demo, createWallet }) => {
  const started = stopAfter(afterEach)

  /**
   * Connects a maker with funds for one quote, which acts once the service has answered the quote. `cost` is the
   * quote's price in raw units.
   */
  async function connectMaker(
    notional: bigint,
    { cost = 0n, act }: { cost?: bigint; act?: (account: DevnetAccount) => Promise<unknown> },
  ): Promise<DevnetAccount> {
    const { loanToken } = devnetAddresses
    const account = await createAccount(demo().chain)
    const transfer = { address: loanToken, abi: erc20Abi, functionName: 'transfer', args: [account.address, notional] }
    await demo().send(backers[0], transfer)
    await demo().send(account, approveParameters({ loanToken, amount: notional }))
    const connectedAt = Date.now()
    const backer = await startBacker(demo().url, account, {
      quote({ openedAt, minNotional: least = 1n }) {
        // An auction of the previous test may still be open.
        return openedAt < connectedAt ? null : { notional: notional < least ? least : notional, vrtAmount: cost }
      },
      onVerdict: () => act?.(account),
    })
    started(backer)
    return account
  }

  test('behavior: takes the best quotes that can be taken, and shows how much is fixed', async () => {
    const attackers = [
      await connectMaker(250_000_000_000n, { act: (account) => demo().send(account, raiseNonceParameters()) }),
      await connectMaker(25_000_000_000n, {}),
    ].map(({ address }) => address)
    const page = await open('/')
    await connectWallet(page, 'Demo account')
    await changeTerms(page)
    await page.getByLabel('Amount to fix').fill('250k')
    await getQuotes(page)
    await page.getByText('Auction closed', { exact: true }).waitFor()
    const auction = page.url()
    const { quotes } = await demo().client.getRfq(auction.slice(-32) as never)
    // Both are top-ranked.
    expect(
      quotes
        .slice(0, 2)
        .map(({ quote }) => quote.maker)
        .sort(),
    ).toEqual([...attackers].sort())
    expect(quotes.length).toBeGreaterThan(2)

    const best = page.getByRole('region', { name: 'Your fixed rate' })
    await best.getByText('for 250,000 tUSD', { exact: true }).waitFor()
    await fixButton(page).click()
    await allowAndTake(page).click()
    await isFixed(page)
    // The maker's full address is shown under "Details".
    await page.locator('summary', { hasText: 'Details' }).last().click()
    const [cheapest] = quotes.filter(({ quote }) => !attackers.includes(quote.maker))
    await page
      .getByText(cheapest?.quote.maker ?? 'nobody')
      .first()
      .waitFor()
    await page.goto(auction)
    await page.getByText(/^250,000 tUSD of 250,000 tUSD fixed with 1 quote/).waitFor()
  })

  test('behavior: two offers fix the whole amount with one press', async () => {
    // Both offers cost less than the limit of 0.02 %, which is too low for the demo's own makers.
    const larger = await connectMaker(150_000_000_000n, { cost: 5_000_000n })
    const smaller = await connectMaker(100_000_000_000n, { cost: 3_500_000n })
    const page = await open('/')
    await page.context().grantPermissions(['notifications'])
    await page.evaluate(recordNotifications)
    await connectWallet(page, 'Demo account')
    await changeTerms(page)
    await page.getByLabel('Amount to fix').fill('250k')
    await page.getByRole('textbox', { name: 'Maximum rate' }).fill('0.02')
    await getQuotes(page)
    await page.getByRole('button', { name: 'Notify me when it closes' }).click()
    await page.getByText("You'll be notified when it closes.", { exact: false }).waitFor()
    const best = page.getByRole('region', { name: 'Your fixed rate' })
    await best.getByText('2 quotes combined, for 250,000 tUSD').waitFor()
    await page.waitForFunction(() => (globalThis as unknown as Notified).told.length === 2)
    const told = await page.evaluate(() => (globalThis as unknown as Notified).told)
    expect(told).toEqual([
      expect.stringMatching(/^You'll be notified/),
      expect.stringMatching(/^Your auction has closed: .*\d\.\d\d% APY/),
    ])
    await expectAccessible(page)

    const auction = page.url()
    await fixButton(page).click()
    await page.getByRole('heading', { name: 'Fix 250,000 tUSD until', exact: false }).waitFor()
    await page.getByText('2 quotes combined').waitFor()
    await page.getByText(/^150,000 tUSD at \d\.\d\d% APY for 5 tUSD$/).waitFor()
    await page.getByText(/^100,000 tUSD at \d\.\d\d% APY for 3\.50 tUSD$/).waitFor()
    for (const index of [1, 2]) await page.getByText(`Quote ${index}: 5 of 6 checks passed, approval needed`).waitFor()
    for (const { address } of [larger, smaller]) await page.getByText(address).first().waitFor({ state: 'attached' })
    await expectAccessible(page)
    await allowAndTake(page).click()
    await isFixed(page)
    await page.goto(auction)
    await page.getByText(/^250,000 tUSD of 250,000 tUSD fixed with 2 quotes/).waitFor()
  })

  test('behavior: after one of two offers is taken, quotes for the rest can be requested', async () => {
    const larger = await connectMaker(150_000_000_000n, { cost: 5_000_000n })
    await connectMaker(100_000_000_000n, { cost: 3_500_000n })
    const { quote, path } = await requestOffer(demo(), newcomers[1].address, 250_000n)
    const page = await open(path)
    await connectWallet(page, 'Demo smart account')
    // Taking less than requested requires consent.
    await page.getByRole('button', { name: /^Fix 1[05]0,000 tUSD instead$/ }).click()
    await allowAndTake(page).click()
    await isFixed(page)
    await page.getByRole('link', { name: /^Fix the remaining / }).click()
    const [fixed, left] = quote.quote.maker === larger.address ? ['150,000', '100,000'] : ['100,000', '150,000']
    await page.getByText(new RegExp(`^${fixed} tUSD of 250,000 tUSD fixed at .* with 1 quote`)).waitFor()
    await page.getByText(`for ${left} tUSD`, { exact: true }).waitFor()
    await expectAccessible(page)

    const auction = page.url()
    await page.getByRole('button', { name: 'Get quotes for the rest' }).click()
    await page.getByRole('heading', { level: 1, name: new RegExp(`^Fix ${left} tUSD until`) }).waitFor()
    expect(page.url()).not.toBe(auction)
  })

  test('behavior: if an offer is gone when the wallet sends it, the next best takes its place', async () => {
    const { address } = newcomers[2]
    const { quote, quotes, path } = await requestOffer(demo(), address, 5_000n)
    const maker = backers.find((one) => one.address === quote.quote.maker)
    if (!maker) throw new TypeError('not a backer of the devnet')
    let isOpen = true
    const wallet = createWallet(address, {
      atomic: 'supported',
      async beforeCalls() {
        if (!isOpen) return
        isOpen = false
        await demo().send(maker, cancelQuoteParameters(quote.quote))
      },
    })
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    await page.getByText('Maximum if replaced').waitFor()
    await page.getByText('1 wallet confirmation').click()
    await page
      .getByText(/^If a quote is gone, the next best replaces it\. You never pay more than [\d,.]+ tUSD\.$/)
      .waitFor()
    const answer = wallet.hangNext(1)
    await allowAndTake(page).click()
    await page.getByText('The quote was gone').waitFor()
    await page.getByText('The next best quote replaces it: 5,000 tUSD for', { exact: false }).waitFor()
    await expectAccessible(page)
    expect(await demo().allowanceOf(address)).toBe(0n)

    // Another tab cannot use the account meanwhile.
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate((url) => void open(url), page.url().replace(quote.hash, quotes[1]?.hash ?? '')),
    ])
    await other.getByRole('heading', { name: 'An earlier request is still open' }).waitFor()
    await other.getByRole('button', { name: 'Try again' }).click()
    await other.getByText('Another request of your account is in progress', { exact: false }).waitFor()
    expect(wallet.asked('wallet_sendCalls')).toBe(2)
    answer()
    await isFixed(page)
    await isFixed(other)
    expect([wallet.asked('wallet_sendCalls'), await demo().allowanceOf(address)]).toEqual([2, 0n])
  })
})

type Notified = { told: string[] }

/** Records the notifications that the browser reports as shown. Runs in the page. */
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

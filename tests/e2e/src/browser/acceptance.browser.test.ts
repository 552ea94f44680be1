// All tests are in one file, because they share one slow-starting demo.
import { backers, borrowers, devnetAddresses, interestRatePoolAbi, newcomers, quoteMarketAbi } from '@firmquote/devnet'
import {
  cancelQuoteParameters,
  formatPrincipal,
  raiseNonceParameters,
  type SignedQuote,
  takeQuoteParameters,
} from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type Address, erc20Abi, parseAbi } from 'viem'
import { requestOffer } from './demoMarket.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { allowAndTake, connectWallet, fixButton, isFixed, widthOf } from './pageActions.ts'
import { shownCost } from './shownCost.ts'

const settings = { AUCTION_DURATION_MS: '1500' }

describeInDemo('a quote in the web client, from its checks to its end', settings, ({ open, demo, createWallet }) => {
  const offer = (taker: Address, tokens?: bigint) => requestOffer(demo(), taker, tokens)
  const check = (page: Page, name: string, ok: boolean) => page.locator(`[data-check=${name}][data-ok=${ok}]`).waitFor()
  const token = { address: devnetAddresses.loanToken, abi: erc20Abi } as const
  const makerOf = ({ maker }: SignedQuote) => {
    const found = backers.find(({ address }) => address === maker)
    if (!found) throw new TypeError('not a backer of the devnet')
    return found
  }

  const isOperator = (address: Address) =>
    demo().chain.readContract({
      address: devnetAddresses.interestRatePool,
      abi: interestRatePoolAbi,
      functionName: 'isOperator',
      args: [address, devnetAddresses.quoteMarket],
    })
  /** The current cost according to the contract, in raw units. */
  async function previewedCost({ signature, ...quote }: SignedQuote, borrower: Address): Promise<bigint> {
    const [, , cost] = await demo().chain.readContract({
      address: devnetAddresses.quoteMarket,
      abi: quoteMarketAbi,
      functionName: 'previewTakeQuote',
      args: [quote, signature, borrower],
    })
    return cost
  }
  const takeButton = (page: Page) => page.getByRole('button', { name: /^Fix for/ })

  /** Funds one of the accounts that anvil provides but the devnet does not fund. */
  async function newcomer(address: Address): Promise<Address> {
    const abi = parseAbi(['function mint(address to, uint256 amount)'])
    await demo().send(backers[0], { ...token, abi, functionName: 'mint', args: [address, 10_000_000_000n] })
    return address
  }

  /**
   * Ways a maker's quote can become invalid: the transaction that causes it, the check that fails, and the displayed
   * text.
   */
  const ends: [string, (quote: SignedQuote) => Promise<object>, string, string][] = [
    ['cancelled', async (quote) => cancelQuoteParameters(quote), 'nonceAndStatus', 'The maker canceled it.'],
    [
      'withdrawn by a raised nonce',
      async () => raiseNonceParameters(),
      'nonceAndStatus',
      'together with its other quotes',
    ],
    ['left without money', giveEverythingAway, 'makerFunds', 'The maker has 0 tUSD'],
  ]

  async function giveEverythingAway({ maker }: SignedQuote): Promise<object> {
    const args = [borrowers[2].address, await demo().balanceOf(maker)]
    return { ...token, functionName: 'transfer', args }
  }

  test.each(ends)(
    'behavior: a displayed quote that is %s on-chain becomes unusable within one block',
    async (_end, act, failing, words) => {
      const { quote, path } = await offer(newcomers[0].address, 250_000n)
      const page = await open(path)
      await connectWallet(page, 'Demo account')
      const allow = allowAndTake(page)
      await allow.waitFor()
      expect(await allow.isEnabled()).toBe(true)
      // The checks are collapsed until one fails that approving an allowance cannot fix.
      await page.getByText('5 of 6 checks passed, approval needed', { exact: true }).waitFor()
      expect(await page.locator('[data-check=deadline]').isVisible()).toBe(false)

      const { blockNumber } = await demo().send(makerOf(quote.quote), await act(quote.quote))
      await check(page, failing, false)
      const [, readAt] = /block (\d+)/.exec((await page.getByText(/^Read at block/).textContent()) ?? '') ?? []
      expect(Number(readAt) - Number(blockNumber)).toBeLessThanOrEqual(1)
      expect(await allow.count()).toBe(0)
      await page.getByText('5 of 6 checks passed, approval needed', { exact: true }).waitFor({ state: 'detached' })
      await page.getByText(words).first().waitFor()
      await page.getByRole('link', { name: 'See other quotes' }).waitFor()
      await expectAccessible(page)
    },
  )

  test('behavior: if it is declined in the wallet, nothing is sent, and it can be retried', async () => {
    const wallet = createWallet(borrowers[1].address)
    const { path } = await offer(wallet.address)
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const take = takeButton(page)
    await take.waitFor()
    wallet.rejectNext()
    await take.click()
    const alert = page.getByRole('alert')
    await alert.getByText('You declined in your wallet. Nothing was sent.').waitFor()
    // The error code is shown under "Details".
    expect(await alert.getByText('WALLET_REJECTED').isVisible()).toBe(false)
    await alert.getByText('Details').click()
    await alert.getByText('WALLET_REJECTED').waitFor()
    await take.click()
    await isFixed(page)
    expect(wallet.asked('eth_sendTransaction')).toBe(2)

    // On a later visit, the page shows the transaction but no quote to take.
    await page.reload()
    await isFixed(page)
    expect(await take.count()).toBe(0)
    await expectAccessible(page)
  })

  test('behavior: reports a wrong network, a wrong account and a missing wallet in one sentence each, and continues afterwards', async () => {
    const { address } = borrowers[1]
    const wallet = createWallet(address)
    const { path } = await offer(address)
    const page = await open(path, { wallet })
    await page.getByText('Connect a wallet to run the checks').waitFor()
    await connectWallet(page, 'Test Wallet')
    const take = takeButton(page)
    await take.waitFor()
    await wallet.switchChain(1)
    const change = page.getByRole('button', { name: 'Switch your wallet to Base (8453)' })
    await change.waitFor()
    await page.getByRole('heading', { name: 'Your wallet is on another network' }).waitFor()
    const menu = page.getByRole('banner').getByRole('button', { name: 'Wrong network' })
    await menu.click()
    await page.getByRole('button', { name: 'Switch to Base', exact: true }).waitFor()
    await expectAccessible(page)
    await menu.click()
    expect(await page.locator('[data-ok=unknown]').count()).toBe(6)
    await page.getByText('Switch networks to run the checks', { exact: true }).waitFor()
    expect(await page.locator('summary', { hasText: 'checks passed' }).count()).toBe(0)
    expect(await take.count()).toBe(0)
    await expectAccessible(page)
    wallet.rejectNext()
    await change.click()
    await page.getByText('You declined in your wallet').waitFor()
    await change.click()
    await take.waitFor()

    await wallet.switchAccount(borrowers[2].address)
    await page.getByRole('heading', { name: 'This quote is for another account' }).waitFor()
    await page.getByText(/^It's reserved for 0x[0-9a-f]{4}…[0-9a-f]{4}\./i).waitFor()
    expect(await take.count()).toBe(0)
    await expectAccessible(page)
    await wallet.switchAccount(address)
    await take.waitFor()

    // Without new blocks, transactions remain pending.
    await demo().chain.setIntervalMining({ interval: 0 })
    await take.click()
    await page.getByRole('heading', { name: 'Fixing your rate' }).waitFor()
    await wallet.lock()
    await page.getByText('Your wallet is disconnected. Reconnect it').waitFor()
    await expectAccessible(page)
    // An unlocked wallet reports its account and reconnects.
    await wallet.unlock()
    await page.getByText('Sent. Waiting for a block …').waitFor()

    // The outcome is announced in the view that the visitor is using.
    await page.getByRole('banner').getByRole('link', { name: 'History' }).click()
    const news = page.getByRole('region', { name: 'News' })
    await news.getByText('Your transaction is pending.').waitFor()
    await demo().chain.setIntervalMining({ interval: 2 })
    await news.getByText('Your transaction is confirmed.').waitFor()
    await news.getByRole('link', { name: 'View' }).click()
    await isFixed(page)
    expect(wallet.asked('eth_sendTransaction')).toBe(1)
  })

  test('behavior: reports a wallet that hangs after a minute, asks it again, and ignores its late answer', async () => {
    const wallet = createWallet(borrowers[1].address)
    const { path } = await offer(wallet.address)
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const take = takeButton(page)
    await take.waitFor()
    await page.clock.install()
    const answer = wallet.hangNext()
    await take.click()
    await page.getByText('Confirm in your wallet …').first().waitFor()
    expect(await take.isEnabled()).toBe(false)
    await page.clock.fastForward(58_000)
    expect(await page.getByText(/^Your wallet hasn't responded for a minute/).count()).toBe(0)
    await page.clock.fastForward(2_000)
    await page.getByText("Your wallet hasn't responded for a minute. Open it, or try again.").first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await isFixed(page)
    const asked = () => wallet.asked('eth_sendTransaction')
    expect(asked()).toBe(2)
    answer()
    await page.reload()
    await isFixed(page)
    expect(asked()).toBe(2)
  })

  test('behavior: guides a first-time borrower through both permissions, for exactly the cost', async () => {
    const address = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'
    const wallet = createWallet(address)
    const { quote, path } = await offer(address)
    const cost = await previewedCost(quote.quote, address)
    const page = await open(path, {
      wallet,
      viewport: { width: 390, height: 700 },
    })
    await connectWallet(page, 'Test Wallet')
    // If funds are missing, the page shows the shortfall and disables sending.
    await page.getByRole('heading', { name: 'Your balance is too low' }).waitFor()
    const missing = page.getByRole('button', { name: / missing$/ })
    expect(await missing.textContent()).toBe(`${shownCost(cost)} tUSD missing`)
    expect(await missing.isEnabled()).toBe(false)
    await newcomer(address)

    const allow = allowAndTake(page)
    await allow.waitFor()
    expect(await page.locator('dd[data-cost]').textContent()).toBe(`${shownCost(cost)} tUSD`)
    const exact = page.getByText(`${formatPrincipal(quote.quote.vrtAmount, 6)} tUSD`, { exact: true })
    await page.getByText('Quote details').click()
    await exact.waitFor()
    await page.getByText('Quote details').click()
    for (const risk of ['nonrefundable', 'can be liquidated', 'Unaudited contracts', 'outlives a repaid loan']) {
      expect(await page.getByText(risk).count()).toBe(1)
    }
    // The button remains visible while the page is scrolled from top to bottom.
    const inReach = async () => {
      const box = await allow.boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 700 && box.x >= 0 && box.x + box.width <= 390
    }
    for (const place of [0, 0.5, 1]) {
      await page.evaluate((share) => scrollTo(0, share * document.documentElement.scrollHeight), place)
      expect(await inReach()).toBe(true)
    }
    expect(await widthOf(page)).toBeLessThanOrEqual(390)
    await expectAccessible(page)
    await page.getByText('3 wallet confirmations').click()
    const stages = page.getByRole('list', { name: 'Wallet confirmations' }).getByRole('listitem')
    expect(await stages.allTextContents()).toEqual([
      expect.stringContaining('next'),
      expect.stringContaining('to do'),
      expect.stringContaining('to do'),
    ])
    // After the visitor rejects the second of three confirmations, nothing more is requested, and the approval already
    // granted can be revoked.
    await page.getByText('3 wallet confirmations').waitFor()
    const sent = () => wallet.asked('eth_sendTransaction')
    wallet.rejectNext(1)
    await allow.click()
    await page.getByText('You declined in your wallet. Nothing was sent.').waitFor()
    await page.getByText('2 wallet confirmations').waitFor()
    await page.getByText('Your approvals').click()
    await page.getByText(`The quote market can spend ${shownCost(cost)} tUSD.`).waitFor()
    expect(await stages.allTextContents()).toEqual([
      expect.stringContaining('done'),
      expect.stringContaining('failed'),
      expect.stringContaining('to do'),
    ])
    expect(await demo().allowanceOf(address)).toBe(quote.quote.vrtAmount)
    await expectAccessible(page)
    expect(sent()).toBe(2)
    await page.getByRole('button', { name: 'Revoke the spending approval' }).click()
    await page.getByText('3 wallet confirmations').waitFor()
    expect([await demo().allowanceOf(address), sent()]).toEqual([0n, 3])

    // The visitor approves the exact amount again. While the wallet shows the last of three confirmations, the first
    // two are visible and cannot be revoked.
    const answer = wallet.hangNext(2)
    await allow.click()
    await takeButton(page).waitFor()
    await page
      .getByText(/^Confirm \d of \d in your wallet …$/)
      .first()
      .waitFor()
    expect(await demo().allowanceOf(address)).toBe(quote.quote.vrtAmount)
    expect(await page.getByText('Your approvals').count()).toBe(0)
    await expectAccessible(page)
    answer()
    await isFixed(page)
    expect(await page.locator('[data-paid]').textContent()).toContain(`${shownCost(cost)} tUSD`)

    expect(await isOperator(address)).toBe(true)
    await page.getByText('Your approvals').click()
    await page.getByText('The quote market can open positions for you.').waitFor()
    await page.getByRole('button', { name: 'Revoke the authorization to open positions' }).click()
    await page.getByText('Your approvals').waitFor({ state: 'detached' })
    expect(await isOperator(address)).toBe(false)
    await expectAccessible(page)
  })

  test('behavior: in a window of 1440 by 900, the risks and checks end above the button, which is in the window', async () => {
    const { path } = await offer(newcomers[0].address)
    const page = await open(path)
    await connectWallet(page, 'Demo account')
    await allowAndTake(page).waitFor()
    const box = async (of: ReturnType<Page['locator']>) => {
      const found = await of.boundingBox()
      if (!found) throw new TypeError('not visible')
      return { top: found.y, bottom: found.y + found.height }
    }
    const button = await box(allowAndTake(page))
    const risks = await box(page.getByRole('region', { name: 'Risks' }))
    const checks = await box(page.locator('summary', { hasText: 'checks passed' }))
    expect(risks.bottom).toBeLessThanOrEqual(checks.top)
    expect(checks.bottom).toBeLessThanOrEqual(button.top)
    expect(button.bottom).toBeLessThanOrEqual(900)

    await page.getByText(/^about 0\.\d+ ETH$/).waitFor()
    await page.getByText(/^Costs [\d.]+ tUSD more than variable if rates don't move$/).click()
    const rows = page.locator('tr[data-average]')
    expect(await rows.locator('th').allTextContents()).toEqual(['4%', '6%', '8%', '10%'])
    await page
      .getByText(/^In the last (?:\d+ days|12 months), the variable rate was above \d\.\d\d% on \d+% of days\.$/)
      .waitFor()
    await expectAccessible(page)
  })

  test('behavior: on a phone, the bar covers no part of a focused element, with all sections open', async () => {
    const { path } = await offer(newcomers[0].address)
    const page = await open(path, { viewport: { width: 390, height: 844 } })
    await connectWallet(page, 'Demo account')
    await allowAndTake(page).waitFor()
    for (const summary of await page.locator('main details > summary').all()) await summary.click()
    await page.evaluate(() => scrollTo(0, 0))
    await page.locator('main').focus()
    const main = await allowAndTake(page).elementHandle()
    let seen = 0
    for (let isInReview = true; isInReview; ) {
      await page.keyboard.press('Tab')
      const covered = await page.evaluate((button) => {
        const focused = document.activeElement
        const bar = button?.closest('[data-print]')
        if (!focused || !bar) throw new TypeError('there is no bar')
        if (!document.getElementById('main')?.contains(focused)) return null
        if (bar.contains(focused)) return 'bar'
        const [box, over] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()]
        const shared = Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top)
        return Math.max(0, shared, -box.top, box.bottom - innerHeight)
      }, main)
      isInReview = covered !== null
      if (typeof covered === 'number') {
        expect(covered).toBe(0)
        seen += 1
      }
    }
    expect(seen).toBeGreaterThan(8)
  })

  const paths = [
    { wallet: 'a wallet that sends several calls as one', account: newcomers[2], more: { atomic: 'ready' }, asks: 1 },
    { wallet: 'a plain wallet', account: newcomers[3], more: {}, asks: 3 },
  ] as const

  test.each(paths)(
    'default: from landing to a fixed rate with $wallet: clicks, confirmations and seconds',
    async ({ account: { address }, asks, more }) => {
      const wallet = createWallet(address, more)
      const before = await demo().chain.getTransactionCount({ address })
      // Opens any response from the service to get its origin. The web app itself is not loaded yet.
      const page = await open('/api/v1/health', { wallet })
      await page.addInitScript(countClicks)
      const begun = performance.now()
      await page.goto(demo().url)
      await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
      await page.getByRole('button', { name: 'Test Wallet', exact: true }).click()
      await page
        .getByRole('button', { name: /^Get quotes/ })
        .first()
        .click()
      const asked = performance.now()
      const review = fixButton(page)
      await review.waitFor()
      const closed = performance.now()
      await review.click()
      await allowAndTake(page).click()
      await isFixed(page)
      const seconds = (performance.now() - closed + asked - begun) / 1000

      // A reload would have reset the count.
      expect(await page.evaluate(() => (globalThis as unknown as Clicked).clicks)).toBe(5)
      expect(seconds).toBeLessThanOrEqual(20)
      const sent = wallet.calls.filter((method) => /^(?:eth_sendTransaction|wallet_sendCalls)$/.test(method))
      expect(sent).toEqual(Array(asks).fill(asks === 1 ? 'wallet_sendCalls' : 'eth_sendTransaction'))
      expect(await demo().chain.getTransactionCount({ address })).toBe(before + asks)
      expect(wallet.calls.filter((method) => /sign/i.test(method)).length).toBeLessThanOrEqual(1)

      expect(await demo().allowanceOf(address)).toBe(0n)
      // On a later visit, the page shows the same state.
      await page.reload()
      await isFixed(page)

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Add to calendar' }).click(),
      ])
      await page.getByRole('link', { name: 'See your position' }).click()
      const heading = page.getByRole('heading', { level: 1, name: /^Position \d+$/ })
      const [id] = /\d+/.exec((await heading.textContent()) ?? '') ?? []
      expect(download.suggestedFilename()).toBe(`firmquote-position-${id}.ics`)
      await page.getByRole('list', { name: 'Timeline' }).waitFor()
    },
  )

  test('behavior: the demo smart account takes its first quote with one confirmation', async () => {
    const { address } = newcomers[1]
    const { path } = await offer(address)
    const page = await open(path)
    await connectWallet(page, 'Demo smart account')
    const nonce = await demo().chain.getTransactionCount({ address })
    await allowAndTake(page).click()
    await isFixed(page)
    expect(await demo().chain.getTransactionCount({ address })).toBe(nonce + 1)
    expect(await demo().allowanceOf(address)).toBe(0n)
  })

  test('behavior: while the wallet asks, the page counts its requests', async () => {
    const address = await newcomer('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')
    const { path } = await findPublished()
    const wallet = createWallet(address)
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    // The page says that it asks before the wallet receives the request.
    const answers = [0, 1, 2].map((others) => wallet.hangNext(others))
    await allowAndTake(page).click()
    for (const [index, answer] of answers.entries()) {
      await page.getByText(`Confirm ${index + 1} of 3 in your wallet …`).waitFor()
      answer()
    }
    await isFixed(page)
    expect(wallet.asked('eth_sendTransaction')).toBe(3)
  })

  /** A published quote that can be taken. */
  async function findPublished() {
    const { quotes } = await demo().client.getQuoteMarketQuotes({ sort: 'rate' })
    // Other tests may leave makers without funds.
    const published = quotes.find(({ executable }) => executable)
    const { signature } = published?.quote ?? {}
    if (!published || !signature) throw new TypeError('nothing that can be taken is published')
    return { hash: published.hash, signed: { ...published.quote, signature }, path: `/#/quote/${published.hash}` }
  }

  test('error: none of several batched calls takes effect if the wallet rejects the batch or one call fails', async () => {
    const address = await newcomer('0x14dC79964da2C08b23698B3D3cc7Ca32193d9955')
    const { signed, path } = await findPublished()
    const wallet = createWallet(address, {
      atomic: 'supported',
      // The maker acts before the visitor confirms.
      beforeCalls: async () => void (await demo().send(makerOf(signed), cancelQuoteParameters(signed))),
    })
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const before = await demo().balanceOf(address)
    const take = allowAndTake(page)
    await take.waitFor()
    await expectAccessible(page)
    wallet.rejectNext()
    await take.click()
    await page.getByText('You declined in your wallet').waitFor()
    expect(await demo().allowanceOf(address)).toBe(0n)
    await take.click()
    await page.getByText(/^Failed in block/).waitFor()
    await page.getByText(/^The maker canceled it\. You paid only the network fee\.$/).waitFor()
    await check(page, 'nonceAndStatus', false)
    expect(await demo().allowanceOf(address)).toBe(0n)
    expect(await demo().balanceOf(address)).toBe(before)
    expect(await isOperator(address)).toBe(false)
    expect([wallet.asked('wallet_sendCalls'), wallet.asked('eth_sendTransaction')]).toEqual([2, 0])
  })

  test('behavior: a failing node of the wallet is named as the cause, and one press reads the chain again', async () => {
    const wallet = createWallet(newcomers[0].address)
    const { path } = await findPublished()
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    await allowAndTake(page).waitFor()
    wallet.setNodeFault('upstream gone')
    const failure = page.getByRole('alert')
    await failure.getByText("Your wallet's node returned an error.").waitFor()
    await failure.getByText('Details').click()
    await failure.getByText('upstream gone').waitFor()
    await expectAccessible(page)
    // The page also reads the chain on its own, once a second.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1_000)
    wallet.setNodeFault(null)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await failure.waitFor({ state: 'detached' })
  })

  test('behavior: a published quote can be taken, and the page reports if another account took it first', async () => {
    const { signed, path } = await findPublished()
    const page = await open(path)
    await connectWallet(page, 'Demo account')
    const allow = allowAndTake(page)
    await allow.waitFor()
    await demo().send(borrowers[2], takeQuoteParameters(signed))
    await page.getByText('Someone else took it.').first().waitFor()
    expect(await allow.count()).toBe(0)
  })
})

type Clicked = { clicks: number }

/** Counts clicks. Runs in the page. */
function countClicks(): void {
  const counted: Clicked = globalThis as unknown as Clicked
  counted.clicks = 0
  addEventListener('click', ({ isTrusted }) => isTrusted && counted.clicks++, true)
}

import { backers, borrowers, devnetAddresses, interestRatePoolAbi, newcomers, quoteMarketAbi } from '@firmquote/devnet'
import {
  cancelQuoteParameters,
  type RFQResult,
  raiseNonceParameters,
  ServiceClient,
  type SignedQuote,
  takeQuoteParameters,
} from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  parseUnits,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { connectWallet } from './connectWallet.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { expectAccessible } from './expectAccessible.ts'
import { openPage } from './openPage.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { createTestWallet } from './testWallet.ts'

describeInBrowser('a quote in the web client, from its checks to its end', (browser) => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo({ AUCTION_DURATION_MS: '1500' })
  }, 60_000)
  afterAll(() => demo?.stop(), 30_000)

  const node = () => createPublicClient({ chain: base, transport: http(demo.rpcUrl), pollingInterval: 100 })
  const walletOf = (privateKey: Hex) =>
    createWalletClient({ account: privateKeyToAccount(privateKey), chain: base, transport: http(demo.rpcUrl) })

  /** An auction's result, for this account alone. */
  async function auction(taker: Address, tokens = 250_000n): Promise<RFQResult> {
    const client = new ServiceClient({ orderbookUrl: demo.url })
    const [pool] = await client.getPoolRates()
    const [, series] = pool?.series ?? []
    if (!pool || !series) throw new TypeError('the devnet has no such series')
    const notional = tokens * 10n ** BigInt(pool.loanToken.decimals)
    return client.requestQuotes({ poolId: pool.poolId, seriesKey: series.seriesKey, notional, taker })
  }

  const best = ({ rfqId, quotes: [quote] }: RFQResult) => {
    if (!quote) throw new TypeError('nobody has quoted')
    return { quote, path: `${demo.url}/#/auction/${rfqId}/${quote.hash}` }
  }
  const check = (page: Page, name: string, ok: boolean) => page.locator(`[data-check=${name}][data-ok=${ok}]`).waitFor()

  const token = { address: devnetAddresses.loanToken, abi: erc20Abi } as const
  const allowanceOf = (address: Address) =>
    node().readContract({ ...token, functionName: 'allowance', args: [address, devnetAddresses.quoteMarket] })

  const isOperator = (address: Address) =>
    node().readContract({
      address: devnetAddresses.interestRatePool,
      abi: interestRatePoolAbi,
      functionName: 'isOperator',
      args: [address, devnetAddresses.quoteMarket],
    })
  /** What the contract would have the account pay now, raw units. */
  async function previewedCost({ signature, ...quote }: SignedQuote, borrower: Address): Promise<bigint> {
    const [, , cost] = await node().readContract({
      address: devnetAddresses.quoteMarket,
      abi: quoteMarketAbi,
      functionName: 'previewTakeQuote',
      args: [quote, signature, borrower],
    })
    return cost
  }
  /** An amount of the loan token as the page shows it, raw units. */
  const shownAmount = async (page: Page, selector: string) =>
    parseUnits(/[\d,.]+/.exec((await page.locator(selector).textContent()) ?? '')?.[0].replaceAll(',', '') ?? '', 6)
  /** Stops the chain, and lets it go on. */
  const mineEvery = (interval: number) =>
    createTestClient({ mode: 'anvil', chain: base, transport: http(demo.rpcUrl) }).setIntervalMining({ interval })
  const takeButton = (page: Page) => page.getByRole('button', { name: /^Take it for/ })

  /** One of anvil's accounts, which the devnet gives nothing, with money. */
  async function newcomer(address: Address): Promise<Address> {
    const hash = await walletOf(backers[0].privateKey).writeContract({
      address: devnetAddresses.loanToken,
      abi: parseAbi(['function mint(address to, uint256 amount)']),
      functionName: 'mint',
      args: [address, 10_000_000_000n],
    })
    await node().waitForTransactionReceipt({ hash })
    return address
  }

  type Wallet = ReturnType<typeof walletOf>
  /** How a maker's quote can end, the check that fails, and what the page says of it. */
  const ends: [string, (maker: Wallet, quote: SignedQuote) => Promise<Hex>, string, string][] = [
    [
      'cancelled',
      (maker, quote) => maker.writeContract(cancelQuoteParameters(quote)),
      'nonceAndStatus',
      'The maker has cancelled it.',
    ],
    [
      'withdrawn by a raised nonce',
      (maker) => maker.writeContract(raiseNonceParameters()),
      'nonceAndStatus',
      'all of its offers of that time',
    ],
    ['left without money', giveEverythingAway, 'makerFunds', 'the maker holds 0 tUSD'],
  ]

  async function giveEverythingAway(maker: Wallet): Promise<Hex> {
    const [owner, to] = [maker.account.address, borrowers[2].address]
    const balance = await node().readContract({ ...token, functionName: 'balanceOf', args: [owner] })
    return maker.writeContract({ ...token, functionName: 'transfer', args: [to, balance] })
  }

  test.each(ends)(
    'behavior: %s on-chain while it is shown, it is unusable within one block',
    async (_end, act, failing, words) => {
      const { quote, path } = best(await auction(newcomers[0].address))
      const { page, expectQuiet, close } = await openPage(browser(), path)
      await connectWallet(page, 'Demo account')
      const allow = page.getByRole('button', { name: /^Allow and take it for/ })
      await allow.waitFor()
      expect(await allow.isEnabled()).toBe(true)
      // Folded, until something fails that is not the visitor's to give.
      await page.getByText('Safe to take: 5 of 6', { exact: true }).waitFor()
      expect(await page.locator('[data-check=deadline]').isVisible()).toBe(false)

      const maker = backers.find(({ address }) => address === quote.quote.maker)
      if (!maker) throw new TypeError('not a backer of the devnet')
      const hash = await act(walletOf(maker.privateKey), quote.quote)
      const { blockNumber } = await node().waitForTransactionReceipt({ hash })
      await check(page, failing, false)
      const [, readAt] = /block (\d+)/.exec((await page.getByText(/^All read at block/).textContent()) ?? '') ?? []
      expect(Number(readAt) - Number(blockNumber)).toBeLessThanOrEqual(1)
      expect(await allow.count()).toBe(0)
      await page.getByText('Safe to take: 5 of 6', { exact: true }).waitFor({ state: 'detached' })
      await page.getByText(words).first().waitFor()
      await page.getByRole('link', { name: 'Ask for new offers' }).waitFor()
      await expectAccessible(page)
      expectQuiet()
      await close()
    },
    60_000,
  )

  test('behavior: declined in the wallet, nothing is sent, and it can be tried again', async () => {
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrowers[1].address })
    const { path } = best(await auction(wallet.address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const take = takeButton(page)
    await take.waitFor()
    wallet.rejectNext()
    await take.click()
    const alert = page.getByRole('alert')
    await alert.getByText('You have declined in your wallet. Nothing was sent.').waitFor()
    // The code is there for those who look for it.
    expect(await alert.getByText('WALLET_REJECTED').isVisible()).toBe(false)
    await alert.getByText('Details').click()
    await alert.getByText('WALLET_REJECTED').waitFor()
    await take.click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)

    // A later visit shows the transaction, and no quote to take.
    await page.reload()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(await take.count()).toBe(0)
    await expectAccessible(page)
    expectQuiet()
    await close()
  }, 60_000)

  test('behavior: another network, another account, no wallet: one sentence each, and it goes on where it was', async () => {
    const { address } = borrowers[1]
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address })
    const { path } = best(await auction(address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await page.getByText('Checked once a wallet is connected').waitFor()
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
    await page.getByText('Checked once the network is right', { exact: true }).waitFor()
    expect(await page.locator('summary', { hasText: 'Safe to take' }).count()).toBe(0)
    expect(await take.count()).toBe(0)
    await expectAccessible(page)
    wallet.rejectNext()
    await change.click()
    await page.getByText('You have declined in your wallet').waitFor()
    await change.click()
    await take.waitFor()

    await wallet.switchAccount(borrowers[2].address)
    await page.getByRole('heading', { name: 'This offer is for another account' }).waitFor()
    await page.getByText(/^It was made for 0x[0-9a-f]{4}…[0-9a-f]{4} alone\./i).waitFor()
    expect(await take.count()).toBe(0)
    await expectAccessible(page)
    await wallet.switchAccount(address)
    await take.waitFor()

    // The chain stands still: the transaction is on its way for as long as this takes.
    await mineEvery(0)
    await take.click()
    await page.getByRole('heading', { name: 'On its way' }).waitFor()
    await wallet.lock()
    await page.getByText('Your wallet is disconnected. Connect it again').waitFor()
    await expectAccessible(page)
    // An unlocked wallet tells of its account, and is connected again.
    await wallet.unlock()
    await page.getByText('Sent, waiting for its block …').waitFor()

    // What becomes of it is told wherever the visitor is.
    await page.getByRole('banner').getByRole('link', { name: 'History' }).click()
    const news = page.getByRole('region', { name: 'News' })
    await news.getByText('Your transaction is on its way.').waitFor()
    await mineEvery(2)
    await news.getByText('Your transaction is confirmed.').waitFor()
    await news.getByRole('link', { name: 'Look at it' }).click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
    expectQuiet()
    await close()
  }, 90_000)

  test('behavior: a wallet that hangs is told of after a minute and asked again, and its late answer changes nothing', async () => {
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrowers[1].address })
    const { path } = best(await auction(wallet.address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const take = takeButton(page)
    await take.waitFor()
    await page.clock.install()
    const answer = wallet.hangNext()
    await take.click()
    await page.getByText('Confirm it in your wallet …').first().waitFor()
    expect(await take.isEnabled()).toBe(false)
    await page.clock.fastForward(58_000)
    expect(await page.getByText(/^Your wallet has not answered for a minute/).count()).toBe(0)
    await page.clock.fastForward(2_000)
    await page.getByText('Your wallet has not answered for a minute. Open it, or try again.').first().waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    const asked = () => wallet.calls.filter((method) => method === 'eth_sendTransaction').length
    expect(asked()).toBe(2)
    answer()
    await page.reload()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(asked()).toBe(2)
    expectQuiet()
    await close()
  }, 60_000)

  test('behavior: a borrower who comes for the first time is led through both permissions, for exactly the cost', async () => {
    const address = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address })
    const { quote, path } = best(await auction(address, 50_000n))
    const cost = await previewedCost(quote.quote, address)
    const { page, expectQuiet, close } = await openPage(browser(), path, {
      wallet,
      viewport: { width: 390, height: 700 },
    })
    await connectWallet(page, 'Test Wallet')
    // Without money it says how much is missing of what, and nothing can be sent.
    await page.getByRole('heading', { name: 'You have too little to pay for it' }).waitFor()
    const missing = page.getByRole('button', { name: / is missing$/ })
    expect(parseUnits(((await missing.textContent()) ?? '').replace(/,| tUSD.*/g, ''), 6)).toBe(cost)
    expect(await missing.isEnabled()).toBe(false)
    await newcomer(address)

    const allow = page.getByRole('button', { name: /^Allow and take it for/ })
    await allow.waitFor()
    expect(await shownAmount(page, 'dd[data-cost]')).toBe(cost)
    for (const risk of ['It is not paid back', 'can still be liquidated', 'have not been audited']) {
      expect(await page.getByText(risk).count()).toBe(1)
    }
    // The button is in reach from the top of the page to its end.
    const inReach = async () => {
      const box = await allow.boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 700 && box.x >= 0 && box.x + box.width <= 390
    }
    for (const place of [0, 0.5, 1]) {
      await page.evaluate((share) => scrollTo(0, share * document.documentElement.scrollHeight), place)
      expect(await inReach()).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectAccessible(page)
    const stages = page.getByRole('list', { name: 'What you confirm, in order' }).getByRole('listitem')
    expect(await stages.allTextContents()).toEqual([
      expect.stringContaining('next'),
      expect.stringContaining('still to come'),
      expect.stringContaining('still to come'),
    ])
    // Declined at the second of three: nothing more is asked, and what is given can be taken back.
    await page.getByRole('heading', { name: 'You will confirm 3 times in your wallet' }).waitFor()
    const sent = () => wallet.calls.filter((method) => method === 'eth_sendTransaction').length
    wallet.rejectNext(1)
    await allow.click()
    await page.getByText('You have declined in your wallet. Nothing was sent.').waitFor()
    await page.getByRole('heading', { name: 'You will confirm 2 times in your wallet' }).waitFor()
    expect(await stages.allTextContents()).toEqual([
      expect.stringContaining('done'),
      expect.stringContaining('failed'),
      expect.stringContaining('still to come'),
    ])
    expect(await allowanceOf(address)).toBe(quote.quote.vrtAmount)
    await page.getByText(/^You have allowed the contract QuoteMarket to move .* tUSD of yours\.$/).waitFor()
    await expectAccessible(page)
    expect(sent()).toBe(2)
    await page.getByRole('button', { name: 'Revoke: move what is yours' }).click()
    await page.getByRole('heading', { name: 'You will confirm 3 times in your wallet' }).waitFor()
    expect([await allowanceOf(address), sent()]).toEqual([0n, 3])

    // Given again, exactly: while the wallet shows the last of three, the first two are there, and nothing can be revoked meanwhile.
    const answer = wallet.hangNext(2)
    await allow.click()
    await takeButton(page).waitFor()
    await page.getByText('Confirm it in your wallet …').first().waitFor()
    expect(await allowanceOf(address)).toBe(quote.quote.vrtAmount)
    expect(await page.getByText('What you have allowed').count()).toBe(0)
    await expectAccessible(page)
    answer()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(await shownAmount(page, '[data-paid]')).toBe(cost)

    expect(await isOperator(address)).toBe(true)
    await page.getByText('You have allowed the contract QuoteMarket to open positions for you.').waitFor()
    await page.getByRole('button', { name: 'Revoke: open positions for you' }).click()
    await page.getByText('What you have allowed').waitFor({ state: 'detached' })
    expect(await isOperator(address)).toBe(false)
    await expectAccessible(page)
    expectQuiet()
    await close()
  }, 90_000)

  const paths = [
    { wallet: 'a wallet that sends several calls as one', account: newcomers[2], atomic: 'ready', asks: 1 },
    { wallet: 'a plain wallet', account: newcomers[3], asks: 3 },
  ] as const

  test.each(paths)(
    'default: from landing to a fixed rate with $wallet: clicks, confirmations and seconds',
    async ({ account: { address }, asks, ...more }) => {
      const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address, ...more })
      const before = await node().getTransactionCount({ address })
      // Anything of the service, for its origin: the page itself is not loaded yet.
      const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/api/v1/health`, { wallet })
      await page.addInitScript(countClicks)
      const begun = performance.now()
      await page.goto(demo.url)
      await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
      await page.getByRole('button', { name: 'Test Wallet', exact: true }).click()
      await page
        .getByRole('button', { name: /^Ask makers for / })
        .first()
        .click()
      const asked = performance.now()
      const review = page.getByRole('link', { name: 'Review and take' })
      await review.waitFor()
      const closed = performance.now()
      await review.click()
      await page.getByRole('button', { name: /^Allow and take it for/ }).click()
      await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
      const seconds = (performance.now() - closed + asked - begun) / 1000

      // Nothing has loaded the page anew: every click has been counted.
      expect(await page.evaluate(() => (globalThis as unknown as Clicked).clicks)).toBe(5)
      expect(seconds).toBeLessThanOrEqual(20)
      const sent = wallet.calls.filter((method) => /^(?:eth_sendTransaction|wallet_sendCalls)$/.test(method))
      expect(sent).toEqual(Array(asks).fill(asks === 1 ? 'wallet_sendCalls' : 'eth_sendTransaction'))
      expect(await node().getTransactionCount({ address })).toBe(before + asks)
      expect(wallet.calls.filter((method) => /sign/i.test(method)).length).toBeLessThanOrEqual(1)

      // The way on: into a calendar, and to the position.
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Add the end to your calendar' }).click(),
      ])
      await page.getByRole('link', { name: 'See your position' }).click()
      const heading = page.getByRole('heading', { level: 1, name: /^Position \d+$/ })
      const [id] = /\d+/.exec((await heading.textContent()) ?? '') ?? []
      expect(download.suggestedFilename()).toBe(`firmquote-position-${id}.ics`)
      await page.getByRole('list', { name: 'What happens when' }).waitFor()
      expectQuiet()
      await close()
    },
    60_000,
  )

  test('behavior: the demo smart account takes its first quote with one confirmation', async () => {
    const { address } = newcomers[1]
    const { path } = best(await auction(address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path)
    await connectWallet(page, 'Demo smart account')
    const nonce = await node().getTransactionCount({ address })
    await page.getByRole('button', { name: /^Allow and take it for/ }).click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(await node().getTransactionCount({ address })).toBe(nonce + 1)
    expect(await allowanceOf(address)).toBe(0n)
    expectQuiet()
    await close()
  }, 60_000)

  test('behavior: with a wallet that sends several calls as one, a first quote is taken with one confirmation', async () => {
    const address = await newcomer('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address, atomic: 'ready' })
    const { path } = best(await auction(address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const take = page.getByRole('button', { name: /^Allow and take it for/ })
    await take.waitFor()
    await expectAccessible(page)
    wallet.rejectNext()
    await take.click()
    await page.getByText('You have declined in your wallet').waitFor()
    expect(await allowanceOf(address)).toBe(0n)
    await take.click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expect(wallet.calls.filter((method) => method === 'wallet_sendCalls')).toHaveLength(2)
    expect(wallet.calls).not.toContain('eth_sendTransaction')
    expect(await allowanceOf(address)).toBe(0n)
    // One transaction, of the account to itself.
    expect(await node().getTransactionCount({ address })).toBe(1)

    await page.reload()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
    expectQuiet()
    await close()
  }, 60_000)

  test('error: where one part of it fails, nothing of it has happened', async () => {
    const address = await newcomer('0x14dC79964da2C08b23698B3D3cc7Ca32193d9955')
    const { quote, path } = best(await auction(address, 50_000n))
    const maker = backers.find((backer) => backer.address === quote.quote.maker)
    if (!maker) throw new TypeError('not a backer of the devnet')
    const wallet = createTestWallet({
      rpcUrl: demo.rpcUrl,
      chainId: base.id,
      address,
      atomic: 'supported',
      // The maker is faster than the person who confirms.
      beforeCalls: async () => {
        const hash = await walletOf(maker.privateKey).writeContract(cancelQuoteParameters(quote.quote))
        await node().waitForTransactionReceipt({ hash })
      },
    })
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await connectWallet(page, 'Test Wallet')
    const before = await node().readContract({ ...token, functionName: 'balanceOf', args: [address] })
    await page.getByRole('button', { name: /^Allow and take it for/ }).click()
    await page.getByText(/^It failed in block/).waitFor()
    await page.getByText('Its maker has cancelled it. Only the fee of the network was paid.').waitFor()
    await check(page, 'nonceAndStatus', false)
    expect(await allowanceOf(address)).toBe(0n)
    expect(await node().readContract({ ...token, functionName: 'balanceOf', args: [address] })).toBe(before)
    expect(await isOperator(address)).toBe(false)
    expectQuiet()
    await close()
  }, 60_000)

  test('behavior: a published quote can be taken; taken by another first, it says so', async () => {
    const client = new ServiceClient({ orderbookUrl: demo.url })
    const { quotes } = await client.getQuoteMarketQuotes({ sort: 'rate' })
    // Other tests leave makers without money.
    const published = quotes.find(({ executable }) => executable)
    const { signature } = published?.quote ?? {}
    if (!published || !signature) throw new TypeError('nothing that can be taken is published')
    const { page, expectQuiet, close } = await openPage(browser(), `${demo.url}/#/quote/${published.hash}`)
    await connectWallet(page, 'Demo account')
    const allow = page.getByRole('button', { name: /^Allow and take it for/ })
    await allow.waitFor()
    await walletOf(borrowers[2].privateKey).writeContract(takeQuoteParameters({ ...published.quote, signature }))
    await page.getByText('Someone has taken it.').first().waitFor()
    expect(await allow.count()).toBe(0)
    expectQuiet()
    await close()
  }, 60_000)
})

type Clicked = { clicks: number }

/** Runs in the page: counts what a visitor presses. */
function countClicks(): void {
  const counted: Clicked = globalThis as unknown as Clicked
  counted.clicks = 0
  addEventListener('click', ({ isTrusted }) => isTrusted && counted.clicks++, true)
}

import { backers, borrowers, devnetAddresses, interestRatePoolAbi } from '@firmquote/devnet'
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
import { type Address, createPublicClient, createWalletClient, erc20Abi, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { connectWallet } from './connectWallet.ts'
import { describeInBrowser } from './describeInBrowser.testing.ts'
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
      'cancelled it. QUOTE_CANCELLED',
    ],
    [
      'withdrawn by a raised nonce',
      (maker) => maker.writeContract(raiseNonceParameters()),
      'nonceAndStatus',
      'all of its quotes of that time',
    ],
    ['left without money', giveEverythingAway, 'makerFunds', 'INSUFFICIENT_BALANCE'],
  ]

  async function giveEverythingAway(maker: Wallet): Promise<Hex> {
    const [owner, to] = [maker.account.address, borrowers[2].address]
    const balance = await node().readContract({ ...token, functionName: 'balanceOf', args: [owner] })
    return maker.writeContract({ ...token, functionName: 'transfer', args: [to, balance] })
  }

  test.each(ends)(
    'behavior: %s on-chain while it is shown, it is unusable within one block',
    async (_end, act, failing, words) => {
      const { quote, path } = best(await auction(borrowers[0].address))
      const { page, expectQuiet, close } = await openPage(browser(), path)
      await connectWallet(page, 'Demo account')
      const take = page.getByRole('button', { name: /^Take it for/ })
      await take.waitFor()
      expect(await take.isEnabled()).toBe(true)

      const maker = backers.find(({ address }) => address === quote.quote.maker)
      if (!maker) throw new TypeError('not a backer of the devnet')
      const hash = await act(walletOf(maker.privateKey), quote.quote)
      const { blockNumber } = await node().waitForTransactionReceipt({ hash })
      await check(page, failing, false)
      const [, readAt] = /block (\d+)/.exec((await page.getByText(/^All read at block/).textContent()) ?? '') ?? []
      expect(Number(readAt) - Number(blockNumber)).toBeLessThanOrEqual(1)
      expect(await take.count()).toBe(0)
      await page.getByText(words).first().waitFor()
      await page.getByRole('link', { name: 'Ask for new quotes' }).waitFor()
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
    const take = page.getByRole('button', { name: /^Take it for/ })
    await take.waitFor()
    wallet.rejectNext()
    await take.click()
    await page.getByText('WALLET_REJECTED').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('You have declined in your wallet. Nothing was sent.')
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

  test('behavior: on another network nothing is read or sent until the wallet has switched', async () => {
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrowers[1].address })
    const { path } = best(await auction(wallet.address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await connectWallet(page, 'Test Wallet')
    await page.getByRole('button', { name: /^Take it for/ }).waitFor()
    await wallet.switchChain(1)
    const change = page.getByRole('button', { name: 'Switch your wallet to Base (8453)' })
    await change.waitFor()
    const menu = page.getByRole('banner').getByRole('button', { name: 'Wrong network' })
    await menu.click()
    await page.getByRole('button', { name: 'Switch to Base', exact: true }).waitFor()
    await expectAccessible(page)
    await menu.click()
    expect(await page.locator('[data-ok=unknown]').count()).toBe(6)
    expect(await page.getByRole('button', { name: /^Take it for/ }).count()).toBe(0)
    await expectAccessible(page)

    wallet.rejectNext()
    await change.click()
    await page.getByText('You have declined in your wallet').waitFor()
    await change.click()
    await page.getByRole('button', { name: /^Take it for/ }).waitFor()
    expectQuiet()
    await close()
  }, 60_000)

  test('behavior: a borrower who comes for the first time is led through both permissions, for exactly the cost', async () => {
    const address = await newcomer('0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f')
    const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address })
    const { quote, path } = best(await auction(address, 50_000n))
    const { page, expectQuiet, close } = await openPage(browser(), path, { wallet })
    await connectWallet(page, 'Test Wallet')
    await page.getByRole('button', { name: /^Allow .* for this quote$/ }).click()
    await page.getByRole('button', { name: /^Let the quote market/ }).click()
    const take = page.getByRole('button', { name: /^Take it for/ })
    await take.waitFor()
    expect(await allowanceOf(address)).toBe(quote.quote.vrtAmount)
    await take.click()
    await page.getByRole('heading', { name: 'Your rate is fixed' }).waitFor()
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
    await page.getByText('WALLET_REJECTED').waitFor()
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
    await check(page, 'nonceAndStatus', false)
    expect(await allowanceOf(address)).toBe(0n)
    expect(await node().readContract({ ...token, functionName: 'balanceOf', args: [address] })).toBe(before)
    const permission = { abi: interestRatePoolAbi, functionName: 'isOperator' } as const
    const { interestRatePool, quoteMarket } = devnetAddresses
    expect(await node().readContract({ address: interestRatePool, ...permission, args: [address, quoteMarket] })).toBe(
      false,
    )
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
    await page.getByRole('button', { name: /^Take it for/ }).waitFor()
    await walletOf(borrowers[2].privateKey).writeContract(takeQuoteParameters({ ...published.quote, signature }))
    await page.getByText('Someone has taken it.').first().waitFor()
    expect(await page.getByRole('button', { name: /^Take it for/ }).count()).toBe(0)
    expectQuiet()
    await close()
  }, 60_000)
})

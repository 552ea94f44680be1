import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { formatAddress } from '@firmquote/core'
import { type DevnetAccount, quoteMarketAbi } from '@firmquote/devnet'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { rounds } from '@firmquote/test-support/trial'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from '../browser/describeInBrowser.ts'
import { expectAccessible } from '../browser/expectAccessible.ts'
import { createTestWallet } from '../browser/testWallet.ts'
import { type Relay, startRelay } from '../cluster/startRelay.ts'
import { root } from '../pack.ts'
import { stopAfter } from '../stopAfter.ts'
import { killTerminals, openTerminal, type Terminal } from '../terminal.ts'
import { exampleCommands } from './exampleCommands.ts'

// Runs the browser examples in a real browser, started as their READMEs describe. A round runs each scenario once.

const auctionMs = 3_000

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

describeInBrowser('the browser examples', ({ open }) => {
  let stack: Stack
  let line: Relay
  let sent = ''
  const started = stopAfter(afterAll)
  let dapp: string
  let stream: string
  const makers: Terminal[] = []
  beforeAll(async () => {
    stack = started(await startStack({ AUCTION_DURATION_MS: String(auctionMs), RFQS_PER_MINUTE: '1000' }))
    const keep = (chunk: Buffer) => {
      sent += chunk.toString('latin1')
    }
    line = started(await startRelay(Number(new URL(stack.url).port), keep))
    started({ stop: killTerminals })
    const [dappPort, streamPort] = [await freePort(), await freePort()]
    const [[dappUrl], [, streamUrl = '']] = await Promise.all([
      openTerminal(exampleCommands('dapp')[1], root, {
        PORT: String(dappPort),
        RPC_URL: stack.devnet.rpcUrl,
        VITE_FIRMQUOTE_URL: stack.url,
      }).shows(/http:\/\/localhost:\d+/),
      openTerminal(exampleCommands('stream')[0], root, { PORT: String(streamPort), FIRMQUOTE_URL: line.url }).shows(
        /^ready (http:\S+)$/m,
      ),
    ])
    ;[dapp, stream] = [dappUrl, streamUrl]
  }, 60_000)
  afterEach(async () => {
    for (const maker of makers.splice(0)) await maker.interrupt()
  })
  /** Starts the maker example for each of these funded accounts. */
  async function startMakers(...accounts: readonly DevnetAccount[]): Promise<void> {
    const [, command] = exampleCommands('maker')
    for (const { privateKey: PRIVATE_KEY } of accounts) {
      makers.push(openTerminal(command, root, { FIRMQUOTE_URL: stack.url, RPC_URL: stack.devnet.rpcUrl, PRIVATE_KEY }))
    }
    await Promise.all(makers.map((maker) => maker.shows(/^authenticated/m)))
  }

  /** Opens the dapp and connects an account's wallet. */
  async function openDapp({ address }: Pick<DevnetAccount, 'address'>) {
    const { rpcUrl, chainId } = stack.devnet
    const wallet = createTestWallet({ rpcUrl, chainId, address })
    // The service's host differs from the page's, and its rejections are logged as console errors.
    const noise = new RegExp(`another host: ${stack.url}/|status of 4`)
    const page = await open(dapp, { wallet, noise })
    await page.getByRole('button', { name: 'Connect Test Wallet' }).click()
    await page.getByText(address).waitFor()
    return { wallet, page }
  }

  const ask = (page: Page) => page.getByRole('button', { name: 'Ask for quotes' }).click()
  const press = (page: Page, name: RegExp | string) => page.getByRole('button', { name }).click()
  const isOpen = (page: Page) => page.getByText(/^Position \d+ is open: 100,000 tUSD at 5\.00%$/).waitFor()

  describe.each(Array.from({ length: rounds }, (_, round) => round + 1))('round %i', () => {
    test('default: the dapp takes the best quote', async () => {
      await startMakers(stack.devnet.backers[0])
      const { page, wallet } = await openDapp(stack.devnet.borrowers[0])
      await expectAccessible(page)
      await ask(page)
      await press(page, /^Take it$/)
      await isOpen(page)
      expect(wallet.asked('eth_sendTransaction')).toBe(1)
      await expectAccessible(page)
    })

    test("default: the dapp's demo account does not require a wallet", async () => {
      await startMakers(stack.devnet.backers[0])
      const page = await open(dapp, { noise: /another host/ })
      await press(page, 'Connect Demo account')
      await ask(page)
      // An earlier round may already have granted the permission.
      await press(page, /^Take it \([23] confirmations\)$/)
      await isOpen(page)
    })

    test("default: the dapp's bundle does not include the demo account", async () => {
      const [command] = /npm --prefix examples\/dapp run bundle/.exec(textOf('examples/dapp/README.md')) ?? []
      await openTerminal(command, root).succeeds()
      const scripts = globSync('examples/dapp/dist/assets/*.js', { cwd: root }).map(textOf)
      const has = (text: string) => scripts.some((script) => script.includes(text))
      expect([has('Ask for quotes'), has('Demo account')]).toEqual([true, false])
    })

    test("error: reports an invalid amount, the service's reason for a rejection, and an auction without quotes", async () => {
      const { page } = await openDapp(stack.devnet.borrowers[0])
      const amount = page.getByLabel('Debt to fix')
      await amount.fill('much')
      await ask(page)
      await page.getByRole('alert').filter({ hasText: 'The amount must' }).waitFor()
      await amount.fill('1')
      await ask(page)
      await page
        .getByRole('alert')
        .filter({ hasText: /minimum/ })
        .waitFor()
      await amount.fill('100,000')
      await ask(page)
      await page.getByText('Nobody has quoted.').waitFor()
      await press(page, 'Ask again')
      await page.getByRole('button', { name: 'Ask for quotes' }).waitFor()
    })

    test('default: the stream shows each quote once, best first, despite a proxy error and a broken connection', async () => {
      const { backers } = stack.devnet
      await startMakers(...backers)
      const noise = new RegExp(`another host: ${line.url}/|ERR_EMPTY_RESPONSE|ERR_CONNECTION|ERR_INCOMPLETE|502`)
      const page = await open(stream, { noise })
      await expectAccessible(page)
      const noService = { status: 502, headers: { 'access-control-allow-origin': '*' }, body: 'Bad gateway' }
      await page.route(/\/rfq\/[0-9a-f]{32}\/stream$/, (route) => route.fulfill(noService), { times: 1 })
      await page.getByLabel('Pool and expiry').selectOption({ index: 2 })
      await ask(page)
      await page.getByText(/^3 makers were asked, \d/).waitFor()
      for (const mode of ['cut', 'pass'] as const) line.set(mode)
      await page.getByText(/^The connection is lost/).waitFor()
      await page.getByText('The auction is over: 3 quotes.').waitFor()
      const cells = await page.locator('tbody tr').allTextContents()
      expect(cells.map((text) => text.slice(0, 12)).sort()).toEqual(Array(3).fill('5.00 %100000'))
      expect(new Set(cells.map((text) => text.slice(12)))).toEqual(new Set(backers.map(({ address }) => address)))
      // The browser resumed the stream after the last event that it had received.
      expect(sent).toMatch(/^last-event-id: [0-9a-f]{32}:[0-3]\r$/im)
      await expectAccessible(page)
    })

    test('error: on another network, asks to switch, and reports a rejection by the wallet', async () => {
      await startMakers(stack.devnet.backers[0])
      const { page, wallet } = await openDapp(stack.devnet.borrowers[1])
      await wallet.switchChain(1)
      wallet.rejectNext()
      await press(page, 'Switch network')
      await page
        .getByRole('alert')
        .filter({ hasText: /reject/i })
        .waitFor()
      await press(page, 'Switch network')
      await ask(page)
      const take = page.getByRole('button', { name: 'Take it' })
      await take.waitFor()
      wallet.rejectNext()
      await take.click()
      await page
        .getByRole('alert')
        .filter({ hasText: /reject/i })
        .waitFor()
      await take.click()
      await isOpen(page)
    })

    test('error: the next quote replaces one that is no longer available, and none is above the limit', async () => {
      const { backers, contracts, walletClient } = stack.devnet
      await startMakers(backers[1], backers[2])
      const { page } = await openDapp(stack.devnet.borrowers[2])
      await ask(page)
      await page.getByRole('button', { name: 'Take it' }).waitFor()
      const [, best = ''] = /, by (0x\w{4}…\w{4})$/.exec((await page.getByText(/, by 0x/).textContent()) ?? '') ?? []
      const gone = backers.find(({ address }) => formatAddress(address) === best)
      if (!gone) throw new TypeError(`${best} is not a backer.`)
      const call = { address: contracts.quoteMarket, abi: quoteMarketAbi, functionName: 'raiseNonce' } as const
      await walletClient(gone).writeContract(call)
      await page.getByText('This quote cannot be taken: ').waitFor()
      await press(page, 'Show the next one')
      await press(page, 'Take it')
      await isOpen(page)

      await press(page, 'Ask again')
      await page.getByLabel('At most').fill('4')
      await ask(page)
      await press(page, 'Show the next one')
      await press(page, 'Show the next one')
      await page.getByText('No other quote is left.').waitFor()
    })
  })
})

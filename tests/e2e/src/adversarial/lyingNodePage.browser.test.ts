// Behind a dishonest node, the web app asks the wallet for no other spender, token, chain or amount than it shows.
//
// The attacker operates the wallet's node. The service, the contracts and the wallet itself are honest. The tests decode
// every request that reaches the wallet, because its owner may confirm each of them without reading it.

import { devnetAddresses, interestRatePoolAbi, newcomers, quoteMarketAbi } from '@firmquote/devnet'
import { afterEach, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { type Address, decodeFunctionData, erc20Abi, type Hex, numberToHex, zeroHash } from 'viem'
import { base } from 'viem/chains'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { requestOffer } from '../browser/demoMarket.ts'
import { describeInDemo } from '../browser/describeInBrowser.ts'
import { connectWallet } from '../browser/pageActions.ts'
import type { TestWallet } from '../browser/testWallet.ts'
import { stopAfter } from '../stopAfter.ts'
import { all, type LyingNode, lie, startLyingNode } from './lyingNode.ts'

const attacker: Address = '0x000000000000000000000000000000000000bad1'
const { quoteMarket, interestRatePool, loanToken } = devnetAddresses
const abi = [...erc20Abi, ...interestRatePoolAbi, ...quoteMarketAbi]

type Sent = { chainId: Hex; calls?: readonly Call[] } & Call
type Call = { to: Address; data: Hex; value?: Hex }

/** The calls that the wallet was asked to send. */
function sentCalls({ requests }: TestWallet) {
  return requests
    .filter(({ method }) => method === 'eth_sendTransaction' || method === 'wallet_sendCalls')
    .flatMap(({ params = [] }) => {
      const sent = params[0] as Sent
      return (sent.calls ?? [sent]).map(({ to, data, value = '0x0' }) => {
        const { functionName: name, args = [] } = decodeFunctionData({ abi, data })
        return { chainId: sent.chainId, to: to.toLowerCase(), value: BigInt(value), name, args }
      })
    })
}

/** Expects that the wallet was asked only for the market's permissions and takes, for at most `most` raw units. */
function expectAgreed(wallet: TestWallet, most: bigint): void {
  for (const { chainId, to, value, name, args } of sentCalls(wallet)) {
    // viem compares a single transaction's chain with the wallet's, and does not send it along.
    expect([undefined, numberToHex(base.id)]).toContain(chainId)
    expect(value).toBe(0n)
    if (name === 'approve') {
      expect([to, args[0]]).toEqual([loanToken.toLowerCase(), quoteMarket])
      expect(args[1]).toBeLessThanOrEqual(most)
    } else if (name === 'setOperator') {
      expect([to, ...args]).toEqual([interestRatePool.toLowerCase(), quoteMarket, true])
    } else {
      expect([to, name]).toEqual([quoteMarket.toLowerCase(), 'takeQuote'])
      expect(args[2]).toBeLessThanOrEqual(most)
    }
  }
}

describeInDemo('the page behind a lying node', { AUCTION_DURATION_MS: '1500' }, ({ open, demo, createWallet }) => {
  const started = stopAfter(afterEach)
  const fix = (page: Page) => page.getByRole('button', { name: /^(?:Approve and fix|Fix) for/ })
  const forms = [
    ['one by one', newcomers[1].address, {}],
    ['in a batch', newcomers[2].address, { atomic: 'supported' }],
  ] as const

  /** Opens the review of an auction's best quote, with a wallet that believes the node. */
  async function review(
    address: Address,
    lies: LyingNode['lies'],
    more: { atomic?: 'supported'; trusting?: boolean } = {},
  ) {
    const node = await startLyingNode(demo().rpcUrl)
    started({ stop: node.close })
    const { quote, path } = await requestOffer(demo(), address, 5_000n)
    const wallet = createWallet(address, { rpcUrl: node.url, ...more })
    node.lies = lies
    const page = await open(path, { wallet })
    await connectWallet(page, 'Test Wallet')
    return { page, wallet, node, cost: quote.quote.vrtAmount }
  }

  /** Waits until the page has read the chain several times, which includes the reads of a press. */
  async function hasReadOn(wallet: TestWallet): Promise<void> {
    const before = wallet.asked('eth_call')
    await waitUntil(() => wallet.asked('eth_call') >= before + 6, 30_000)
  }

  test("error: another token as the pool's: the wallet is asked for nothing", async () => {
    const { quote } = await requestOffer(demo(), newcomers[0].address)
    const [, adapter, market] = await demo().chain.readContract({
      address: interestRatePool,
      abi: interestRatePoolAbi,
      functionName: 'pools',
      args: [quote.quote.poolId],
    })
    const { page, wallet } = await review(newcomers[0].address, {
      call: all(
        lie(interestRatePoolAbi, 'pools', [attacker, adapter, market]),
        lie(erc20Abi, 'balanceOf', 10n ** 30n, attacker),
        lie(erc20Abi, 'allowance', 10n ** 30n, attacker),
      ),
    })
    await fix(page).click()
    await hasReadOn(wallet)
    expect(sentCalls(wallet)).toEqual([])
  })

  test('error: a contract that charges more than the quote: it cannot be taken', async () => {
    const { page, wallet } = await review(newcomers[0].address, {
      call: lie(quoteMarketAbi, 'previewTakeQuote', [true, zeroHash, 10n ** 15n, 10n ** 30n]),
    })
    await page.locator('[data-check=preview][data-ok=false]').waitFor()
    expect(await fix(page).count()).toBe(0)
    expect(sentCalls(wallet)).toEqual([])
  })

  test.each(forms)(
    'behavior: false balances and permissions, %s: the wallet is asked for at most what is shown',
    async (_, address, atomic) => {
      const before = await demo().balanceOf(address)
      const own = address.slice(2).toLowerCase()
      const { page, wallet, cost } = await review(
        address,
        {
          call: all(
            lie(erc20Abi, 'balanceOf', 10n ** 30n),
            // The makers' allowances stay true.
            ({ to, data }) => (data.includes(own) ? lie(erc20Abi, 'allowance', 0n)({ to, data }) : undefined),
            lie(interestRatePoolAbi, 'isOperator', false),
          ),
        },
        atomic,
      )
      await fix(page).click()
      // One by one, the page asks for the same approval again and again.
      await waitUntil(() => sentCalls(wallet).length >= 3)
      await hasReadOn(wallet)
      expectAgreed(wallet, cost)
      expect(before - (await demo().balanceOf(address))).toBeLessThanOrEqual(cost)
    },
  )

  test.each(forms)('error: a false revert of a take, %s: no other quote is taken', async (_, address, atomic) => {
    const before = await demo().balanceOf(address)
    const { page, wallet, cost } = await review(
      address,
      {
        methods: {
          eth_getTransactionReceipt(honest) {
            const receipt = honest as { to: string } | null
            const takes = [quoteMarket, address].some((to) => to.toLowerCase() === receipt?.to)
            return takes ? { ...receipt, status: '0x0', logs: [] } : receipt
          },
        },
      },
      atomic,
    )
    await fix(page).click()
    await page.getByRole('heading', { name: 'An earlier request is still open' }).waitFor()
    expect(sentCalls(wallet).filter(({ name }) => name === 'takeQuote')).toHaveLength(1)
    expectAgreed(wallet, cost)
    expect(before - (await demo().balanceOf(address))).toBe(cost)
  })

  test('error: the node moves to another chain after the review: the wallet is asked for nothing', async () => {
    const { page, wallet, node } = await review(newcomers[0].address, {}, { trusting: true })
    await fix(page).waitFor()
    node.lies.methods = { eth_chainId: () => '0x1' }
    await fix(page).click()
    await page.getByRole('alert').getByText('Not sent').waitFor()
    expect(sentCalls(wallet)).toEqual([])
  })
})

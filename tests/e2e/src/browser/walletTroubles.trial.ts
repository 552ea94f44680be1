import { borrowers, devnetAddresses } from '@firmquote/devnet'
import { setOperatorParameters } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { erc20Abi } from 'viem'
import { base } from 'viem/chains'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { listTerms, openPosition, requestOffer, travelTo } from './demoMarket.ts'
import { describeInBrowser } from './describeInBrowser.ts'
import { drawCells } from './drawCells.ts'
import { expectAccessible } from './expectAccessible.ts'
import { changeTerms, connectWallet, isFixed } from './pageActions.ts'
import { type Demo, startDemo } from './startDemo.ts'
import { createTestWallet, type TestWallet } from './testWallet.ts'

// Tests every problem that can occur during each wallet request. One sentence must report the problem, and the flow
// must then resume where it stopped, without losing anything or sending anything twice. A round tests one problem at
// one step, both drawn from the seed.

const [, borrower, other] = borrowers
const button = (page: Page, name: RegExp) => page.getByRole('button', { name })

/** A wallet request, how to reach it, and its expected result. */
type Step = {
  step: string
  /** Number of earlier wallet requests caused by the same click. */
  before: number
  kind: 'take' | 'settle' | 'sign'
  path(demo: Demo): Promise<string>
  /** Performs all steps up to the click triggering the request. */
  arrive?(page: Page): Promise<void>
  press: RegExp
  done(page: Page): Promise<void>
  method: 'eth_sendTransaction' | 'eth_signTypedData_v4'
  /** Total number of wallet requests if the wallet rejects none. */
  asks: number
}

const take = {
  kind: 'take',
  path: offerToNewcomer,
  press: /^(?:Approve and fix|Fix) for/,
  done: isFixed,
  method: 'eth_sendTransaction',
  asks: 3,
} as const
const settle = {
  kind: 'settle',
  path: maturedPosition,
  press: /^(?:Settle, withdraw and repay|Withdraw and repay|Repay .*|Reset the approval)$/,
  done: (page: Page) => page.getByText(/^You received .+\.$/).waitFor(),
  method: 'eth_sendTransaction',
  asks: 4,
} as const
const steps: readonly Step[] = [
  { ...take, step: 'allow', before: 0 },
  { ...take, step: 'permit', before: 1 },
  { ...take, step: 'take', before: 2 },
  { ...settle, step: 'settle', before: 0 },
  { ...settle, step: 'withdraw', before: 1 },
  { ...settle, step: 'allow the lender', before: 2 },
  { ...settle, step: 'repay', before: 3 },
  {
    step: 'prove the account',
    kind: 'sign',
    before: 0,
    path: async () => '/',
    async arrive(page) {
      await changeTerms(page)
      await page.getByText('Prove this account is yours (optional)').click()
    },
    press: /^Sign the proof$/,
    // Another account's card replaces the card, whose sections are closed then.
    done: (page) => page.getByText(/^Makers know this account is yours until/).waitFor({ state: 'attached' }),
    method: 'eth_signTypedData_v4',
    asks: 1,
  },
]

/** A problem that can occur during a wallet request. */
type Trouble = {
  trouble: string
  begin(wallet: TestWallet, page: Page): Promise<unknown>
  sentence: Record<Step['kind'], string | RegExp>
  /** Ends the trouble. The remaining clicks follow. */
  end(wallet: TestWallet, page: Page): Promise<unknown>
  /** Whether the wallet rejects the request, which is then repeated. */
  refuses?: true
  /** Whether the request is repeated and both requests are answered. */
  twice?: true
}

const declined = /^You declined in your wallet/
const troubles: readonly Trouble[] = [
  {
    trouble: 'hangs',
    begin: (_wallet, page) => page.clock.fastForward(61_000),
    sentence: everywhere("Your wallet hasn't responded for a minute. Open it, or try again."),
    end: (_wallet, page) => button(page, /^Try again$/).click(),
    twice: true,
  },
  {
    trouble: 'refuses',
    begin: async () => {},
    sentence: everywhere(declined),
    end: async () => {},
    refuses: true,
  },
  {
    trouble: 'disconnects',
    begin: (wallet) => wallet.lock(),
    sentence: { take: 'Connect a wallet', settle: 'No wallet connected', sign: 'Connect wallet' },
    end: (wallet) => wallet.unlock(),
  },
  {
    trouble: 'changes its account',
    begin: (wallet) => wallet.switchAccount(other.address),
    sentence: {
      take: 'This quote is for another account',
      settle: 'Position not found',
      sign: new RegExp(`^${other.address.slice(0, 6)}…${other.address.slice(-4)}`, 'i'),
    },
    end: (wallet) => wallet.switchAccount(borrower.address),
  },
  {
    trouble: 'changes its network',
    begin: (wallet) => wallet.switchChain(1),
    sentence: {
      take: 'Your wallet is on another network',
      settle: 'Your wallet is on another network',
      sign: 'Wrong network',
    },
    end: (wallet) => wallet.switchChain(base.id),
  },
]

const cells = steps.flatMap((step) => troubles.map((trouble) => ({ ...trouble, ...step })))

describeInBrowser('a wallet that makes trouble while it is asked', ({ open }) => {
  test.each(drawCells(cells))(
    'default: $trouble, asked to $step',
    async (cell) => {
      const { step, trouble, before, path, arrive, press, done, method, asks, begin, end, sentence, kind } = cell
      const demo = await startDemo({ AUCTION_DURATION_MS: '1500' })
      const wallet = createTestWallet({ rpcUrl: demo.rpcUrl, chainId: base.id, address: borrower.address })
      const page = await open(demo.url + (await path(demo)), { wallet })
      const asked = () => wallet.asked(method)
      try {
        await connectWallet(page, 'Test Wallet')
        await arrive?.(page)
        await button(page, press).waitFor()
        const earlier = asked()
        if (trouble === 'hangs') await page.clock.install()
        const answer = cell.refuses ? wallet.rejectNext(before) : wallet.hangNext(before)
        await button(page, press).click()
        await waitUntil(() => asked() > earlier + before, 30_000)
        await begin(wallet, page)
        await page.getByText(sentence[kind]).filter({ visible: true }).first().waitFor()
        await expectAccessible(page)
        await end(wallet, page)
        if (!cell.twice) answer?.()
        // The wallet's remaining requests either need another click or were already pending.
        for (const finished = done(page).then(() => true); ; ) {
          const next = button(page, press).and(page.locator(':enabled'))
          const pressed = next.waitFor().then(() => false)
          if (await Promise.race([finished, pressed.catch(() => finished)])) break
          await next.click({ timeout: 1_000 }).catch(() => {})
        }
        const more = cell.refuses || cell.twice ? 1 : 0
        expect(asked()).toBe(asks + more)
        if (kind === 'take') expect(await demo.allowanceOf(borrower.address)).toBe(0n)
        // A late answer must not change the displayed state.
        if (cell.twice) answer?.()
        await done(page)
        process.stdout.write(`${trouble}, asked to ${step}: asked ${asked()} times\n`)
      } finally {
        // A page whose service has ended would report that.
        await page.close()
        await demo.stop()
      }
    },
    120_000,
  )
})

function everywhere(sentence: string | RegExp): Trouble['sentence'] {
  return { take: sentence, settle: sentence, sign: sentence }
}

/** Runs an auction for an account without approvals. Returns the path of the auction's best offer. */
async function offerToNewcomer(demo: Demo): Promise<string> {
  const { loanToken: address, quoteMarket: spender } = devnetAddresses
  await demo.send(borrower, setOperatorParameters({ approved: false }))
  await demo.send(borrower, { address, abi: erc20Abi, functionName: 'approve', args: [spender, 0n] })
  return (await requestOffer(demo, borrower.address)).path
}

async function maturedPosition(demo: Demo): Promise<string> {
  const [term] = await listTerms(demo)
  const position = await openPosition(demo, borrower, term)
  await travelTo(demo, term.expiry + 5)
  return `/#/position/${position}`
}

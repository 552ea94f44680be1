import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { approveParameters, ServiceClient } from '@firmquote/sdk'
import { type DaemonQuote, RfqDaemonClient } from '@firmquote/sdk/node'
import { type DaemonProcess, startDaemon } from '@firmquote/testing/startDaemon'
import { type Stack, startStack } from '@firmquote/testing/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { erc20Abi, type Hex } from 'viem'

// Three daemons, a server and a chain, each a process of its own. Daemons are killed with -9; what they have promised
// must stay within their funds, whoever is asked: the service that has shown the quotes, or the daemon's own book.

const usd = 10n ** 6n
const ownPricing = new URL('../../../apps/daemon/dist/index.js', import.meta.url).href

let stack: Stack
let folder: string
let daemons: [Backer, Backer, Backer]
/** Every quote that the service has shown, by its hash. */
const shown = new Map<Hex, SignedQuote>()

/** A maker and the daemon that now runs for it. */
type Backer = { account: DevnetAccount; folder: string; spreadBps: number; process: DaemonProcess }

beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '6000', RFQS_PER_MINUTE: '1000', OPEN_RFQS: '50' })
  folder = mkdtempSync(join(tmpdir(), 'firmquote-daemons-'))
  const go = join(folder, 'go')
  // A pricer that says when it begins, and ends when it is told: so that what follows can be timed.
  const pricer = join(folder, 'pricer.mjs')
  writeFileSync(
    pricer,
    `import { existsSync } from 'node:fs'
     import { priceRfq as byPolicy } from '${ownPricing}'
     export async function priceRfq(input) {
       process.stdout.write('pricing\\n')
       while (!existsSync('${go}')) await new Promise((resolve) => setTimeout(resolve, 20))
       return byPolicy(input)
     }`,
  )
  const backer = (index: 0 | 1 | 2, ownPricer?: string): Backer => {
    const options = {
      account: stack.devnet.backers[index],
      folder: join(folder, `backer${index}`),
      spreadBps: 20 * (index + 1),
    }
    return { ...options, process: startDaemon(stack, { ...options, ...(ownPricer && { pricer: ownPricer }) }) }
  }
  const [first, second] = stack.devnet.backers
  await approve(first, 400_000n * usd)
  await keepOnly(second, 400_000n * usd)
  daemons = [backer(0, pricer), backer(1), backer(2)]
  await Promise.all(daemons.map(({ process }) => process.says(/^ready /m)))
}, 60_000)

afterAll(async () => {
  for (const { process } of daemons ?? []) process.child.kill('SIGTERM')
  await Promise.all((daemons ?? []).map(({ process }) => process.ended))
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 30_000)

async function approve(account: DevnetAccount, amount: bigint): Promise<void> {
  const { devnet } = stack
  const { loanToken } = devnet.contracts
  const hash = await devnet.walletClient(account).writeContract(approveParameters({ loanToken, amount }))
  await devnet.publicClient.waitForTransactionReceipt({ hash })
}

/** Gives all loan tokens away but these. */
async function keepOnly(account: DevnetAccount, amount: bigint): Promise<void> {
  const { devnet } = stack
  const { balance } = await readFunds(account)
  const hash = await devnet.walletClient(account).writeContract({
    address: devnet.contracts.loanToken,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [devnet.deployer.address, balance - amount],
  })
  await devnet.publicClient.waitForTransactionReceipt({ hash })
}

async function readFunds({ address: maker }: DevnetAccount) {
  const { publicClient, contracts } = stack.devnet
  const token = { address: contracts.loanToken, abi: erc20Abi } as const
  const [balance, allowance] = await Promise.all([
    publicClient.readContract({ ...token, functionName: 'balanceOf', args: [maker] }),
    publicClient.readContract({ ...token, functionName: 'allowance', args: [maker, contracts.quoteMarket] }),
  ])
  return { balance, allowance }
}

/** Runs an auction and gives its quotes by maker; `onQuote` hears of each as it comes. */
async function ask(notional: bigint, onQuote: (maker: string) => void = () => {}) {
  const [{ poolId, series }] = stack.devnet.pools
  const request = { poolId, seriesKey: series[2]?.seriesKey ?? poolId, notional }
  const makers: string[] = []
  let backers = 0
  for await (const event of new ServiceClient({ orderbookUrl: stack.url }).streamQuotes(request)) {
    if (event.type === 'started') backers = event.data.backers
    if (event.type !== 'quote') continue
    const { hash, quote } = event.data
    shown.set(hash, quote)
    makers.push(quote.maker)
    onQuote(quote.maker)
  }
  return { backers, makers: makers.sort() }
}

const addresses = (...backers: Backer[]) => backers.map(({ account }) => account.address).sort()

async function killAndRestart(backer: Backer): Promise<void> {
  backer.process.child.kill('SIGKILL')
  await backer.process.ended
  backer.process = startDaemon(stack, backer)
  await backer.process.says(/^ready /m)
}

/** What a daemon says that it has signed. */
async function readBook({ process }: Backer): Promise<DaemonQuote[]> {
  const operator = new RfqDaemonClient({ socketPath: process.socketPath })
  try {
    return await operator.listQuotes()
  } finally {
    operator.close()
  }
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Holds every maker's live quotes against its funds: those that the service has shown, and those of `books`. */
async function expectHonoured(books: readonly DaemonQuote[] = []): Promise<void> {
  const { publicClient, contracts } = stack.devnet
  const { timestamp } = await publicClient.getBlock()
  const known = new Map([...shown, ...books.map(({ hash, quote }) => [hash, quote] as const)])
  for (const { account } of daemons) {
    const nonce = await publicClient.readContract({
      address: contracts.quoteMarket,
      abi: quoteMarketAbi,
      functionName: 'nonces',
      args: [account.address],
    })
    const total = [...known.values()]
      .filter((quote) => quote.maker === account.address && quote.deadline >= timestamp && quote.nonce >= nonce)
      .reduce((sum, { notional }) => sum + notional, 0n)
    const { balance, allowance } = await readFunds(account)
    expect(total).toBeLessThanOrEqual(balance)
    expect(total).toBeLessThanOrEqual(allowance)
  }
}

/** The same with the books; what the service has shown stands in them. */
async function expectBooksHonoured(): Promise<void> {
  const books = (await Promise.all(daemons.map(readBook))).flat()
  const hashes = new Set(books.map(({ hash }) => hash))
  for (const hash of shown.keys()) expect(hashes).toContain(hash)
  await expectHonoured(books)
}

describe('three daemons, of which one is killed in mid-auction', () => {
  test('default: killed before its quote was acknowledged, it sends the very same one', async () => {
    const [first] = daemons
    const auction = ask(250_000n * usd)
    await first.process.says(/^pricing$/m)
    // A service that stands still acknowledges nothing.
    stack.server.kill('SIGSTOP')
    writeFileSync(join(folder, 'go'), '')
    const [promised] = await until(
      () => readBook(first),
      (quotes) => quotes.length === 1,
    )
    expect(promised).toMatchObject({ verdict: 'unknown', quote: { notional: 250_000n * usd } })
    first.process.child.kill('SIGKILL')
    await first.process.ended
    stack.server.kill('SIGCONT')
    await killAndRestart(first)

    expect((await auction).makers).toEqual(addresses(...daemons))
    expect([...shown].find(([, { maker }]) => maker === first.account.address)?.[0]).toBe(promised?.hash)
    const [kept, ...others] = await until(
      () => readBook(first),
      ([quote]) => quote?.verdict !== 'unknown',
    )
    expect([kept?.hash, kept?.verdict, others]).toEqual([promised?.hash, 'accepted', []])
    await expectBooksHonoured()
  }, 60_000)

  test('default: killed after its quote was acknowledged, it is bound by it, and quotes what it can still honour', async () => {
    const [first, second, third] = daemons
    let restarted: Promise<void> | undefined
    const auction = await ask(100_000n * usd, (maker) => {
      if (maker === second.account.address) restarted = killAndRestart(second)
    })
    await restarted
    expect(auction.makers).toEqual(addresses(...daemons))
    await expectBooksHonoured()

    // 350,000 of 400,000 are promised: by allowance for the first, by balance for the second.
    const [tooMuch, enough] = await Promise.all([ask(100_000n * usd), ask(50_000n * usd)])
    expect([tooMuch.backers, enough.backers]).toEqual([3, 3])
    expect(tooMuch.makers).toEqual(addresses(third))
    expect(enough.makers).toEqual(addresses(...daemons))
    await expectBooksHonoured()
    for (const { process } of [first, second]) expect(process.output()).toMatch(/"code":"NOT_AFFORDABLE"/)
  }, 60_000)

  test('behavior: whatever is asked and killed when, live quotes stay within balance and allowance', async () => {
    // 400,000 of the first and 500,000 of the third are promised: what is asked is more than is left, whatever comes.
    const [first, , third] = daemons
    await approve(first.account, 1_000_000n * usd)
    await approve(third.account, 1_200_000n * usd)
    const rfq = fc.record({ notional: fc.integer({ min: 50, max: 200 }), delayMs: fc.nat(150) })
    const kill = fc.record({ victim: fc.constantFrom(0 as const, 2 as const), delayMs: fc.nat(150) })
    const seed = Math.floor(Math.random() * 2 ** 31)
    await fc.assert(
      fc.asyncProperty(fc.array(rfq, { minLength: 16, maxLength: 24 }), fc.tuple(kill, kill), async (rfqs, kills) => {
        const before = shown.size
        const auctions = rfqs.map(async ({ notional, delayMs }, turn) => {
          await new Promise((resolve) => setTimeout(resolve, 100 * turn + delayMs))
          return ask(BigInt(notional) * 1_000n * usd)
        })
        for (const { victim, delayMs } of kills) {
          await new Promise((resolve) => setTimeout(resolve, 300 + delayMs))
          await killAndRestart(daemons[victim])
          await expectHonoured()
        }
        await Promise.all(auctions)
        await expectBooksHonoured()
        expect(shown.size - before).toBeGreaterThan(4)
      }),
      { seed, numRuns: 1, endOnFailure: true },
    )
  }, 120_000)
})

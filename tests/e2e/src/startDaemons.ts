import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { approveParameters, ServiceClient } from '@firmquote/sdk'
import { type DaemonQuote, RfqDaemonClient } from '@firmquote/sdk/node'
import { type DaemonProcess, startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { expect } from '@jest/globals'
import { erc20Abi, type Hex } from 'viem'

/** One whole loan token, in raw units. */
export const usd = 10n ** 6n

/** A maker and its current daemon. */
export type Backer = { account: DevnetAccount; folder: string; spreadBps: number; process: DaemonProcess }

/** Three daemons, a server and a chain, in separate processes. */
export type Daemons = Awaited<ReturnType<typeof startDaemons>>

/**
 * Starts a chain, a server and three daemons.
 *
 * @param prepare sets the makers' funds before their daemons start. May return a pricer for the first daemon.
 */
export async function startDaemons(
  prepare: (stack: Stack, folder: string) => Promise<{ pricer?: string }> = async () => ({}),
) {
  const stack = await startStack({ AUCTION_DURATION_MS: '6000', RFQS_PER_MINUTE: '1000', OPEN_RFQS: '50' })
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-daemons-'))
  /** Every quote returned by the service so far, by hash. */
  const shown = new Map<Hex, SignedQuote>()
  const firstOptions = await prepare(stack, folder)
  const backer = (index: 0 | 1 | 2, more: { pricer?: string } = {}): Backer => {
    const account = stack.devnet.backers[index]
    const options = { account, folder: join(folder, `backer${index}`), spreadBps: 20 * (index + 1) }
    return { ...options, process: startDaemon(stack, { ...options, ...more }) }
  }
  const backers = [backer(0, firstOptions), backer(1), backer(2)] as const
  await Promise.all(backers.map(({ process }) => process.says(/^ready /m)))

  /** Checks every maker's live quotes, according to the service and `books`, against its funds. */
  const expectHonoured = async (books: readonly DaemonQuote[] = []): Promise<void> => {
    const { publicClient, contracts } = stack.devnet
    const { timestamp } = await publicClient.getBlock()
    const known = new Map([...shown, ...books.map(({ hash, quote }) => [hash, quote] as const)])
    for (const { account } of backers) {
      const nonce = await publicClient.readContract({
        address: contracts.quoteMarket,
        abi: quoteMarketAbi,
        functionName: 'nonces',
        args: [account.address],
      })
      const total = [...known.values()]
        .filter((quote) => quote.maker === account.address && quote.deadline >= timestamp && quote.nonce >= nonce)
        .reduce((sum, { notional }) => sum + notional, 0n)
      const { balance, allowance } = await readFunds(stack, account)
      expect(total).toBeLessThanOrEqual(balance)
      expect(total).toBeLessThanOrEqual(allowance)
    }
  }

  return {
    stack,
    folder,
    backers,
    shown,
    expectHonoured,

    /** Also checks the daemons' books, which must contain every quote returned by the service. */
    async expectBooksHonoured(): Promise<void> {
      const books = (await Promise.all(backers.map(listBook))).flat()
      const hashes = new Set(books.map(({ hash }) => hash))
      for (const hash of shown.keys()) expect(hashes).toContain(hash)
      await expectHonoured(books)
    },

    /** Runs an auction and returns its quotes by maker. Calls `onQuote` as each quote arrives. */
    async ask(notional: bigint, onQuote: (maker: string) => void = () => {}) {
      const [{ poolId, series }] = stack.devnet.pools
      const request = { poolId, seriesKey: series[2]?.seriesKey ?? poolId, notional, minNotional: notional }
      const makers: string[] = []
      let asked = 0
      for await (const event of new ServiceClient({ orderbookUrl: stack.url }).streamQuotes(request)) {
        if (event.type === 'started') asked = event.data.backers
        if (event.type !== 'quote') continue
        const { hash, quote } = event.data
        shown.set(hash, quote)
        makers.push(quote.maker)
        onQuote(quote.maker)
      }
      return { backers: asked, makers: makers.sort() }
    },

    async killAndRestart(backer: Backer): Promise<void> {
      backer.process.child.kill('SIGKILL')
      await backer.process.ended
      backer.process = startDaemon(stack, backer)
      await backer.process.says(/^ready /m)
    },

    async stop(): Promise<void> {
      for (const { process } of backers) process.child.kill('SIGTERM')
      await Promise.all(backers.map(({ process }) => process.ended))
      await stack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Sets an account's loan token allowance for the quote market. */
export async function approve({ devnet }: Stack, account: DevnetAccount, amount: bigint): Promise<void> {
  const { loanToken } = devnet.contracts
  const hash = await devnet.walletClient(account).writeContract(approveParameters({ loanToken, amount }))
  await devnet.publicClient.waitForTransactionReceipt({ hash })
}

/** Reads an account's loan token balance and its allowance for the quote market, in raw units. */
export async function readFunds({ devnet }: Stack, { address: maker }: DevnetAccount) {
  const { publicClient, contracts } = devnet
  const token = { address: contracts.loanToken, abi: erc20Abi } as const
  const [balance, allowance] = await Promise.all([
    publicClient.readContract({ ...token, functionName: 'balanceOf', args: [maker] }),
    publicClient.readContract({ ...token, functionName: 'allowance', args: [maker, contracts.quoteMarket] }),
  ])
  return { balance, allowance }
}

/** Reads a daemon's list of its signed quotes. */
export async function listBook({ process }: Backer): Promise<DaemonQuote[]> {
  const operator = new RfqDaemonClient({ socketPath: process.socketPath })
  try {
    return await operator.listQuotes()
  } finally {
    operator.close()
  }
}

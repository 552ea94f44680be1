import type { QuoteDomain, SignedQuote } from '@firmquote/core'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { keccak256, maxUint256, numberToHex, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { createTemporaryDirectory, type Service, startService } from '../processes.ts'
import { createQuotes, type Series } from '../quotes.ts'
import type { RivalSettings } from '../rivalStack/rivalServer.ts'
import type { Probe } from './probe.ts'

/** A server in a process of its own: `http://localhost:<port>`, on 127.0.0.1, and the address that backers sign. */
export type Program = Service<Probe> & { url: string; wsUrl: string }

/** A devnet with funded makers and the server before it, each a process of its own. */
export type Stand = AsyncDisposable & {
  server: Program
  domain: QuoteDomain
  devnet: Devnet
  /** The pool and the series of auctions. */
  series: Series
  /** Funded with loan tokens, which the quote market may take. The same on every run. */
  makers: readonly DevnetAccount[]
  /** Signs quotes of all makers and series in turn. */
  sign(count: number): SignedQuote[]
}

/** Limits that an operator raises for a service as busy as the benchmark makes it; every check stays on. */
export const roomySettings = {
  STORED_QUOTES_PER_MAKER: '1000000',
  MAX_SOCKETS: '20000',
  MAX_CONNECTIONS: '100000',
  CONNECTIONS_PER_NETWORK: '100000',
  PENDING_SOCKETS: '20000',
  PENDING_SOCKETS_PER_NETWORK: '20000',
  OPEN_AUCTIONS: '100000',
  RUNNING_JUDGEMENTS: '100000',
  RFQS_PER_MINUTE: '1000000',
  OPEN_RFQS: '100000',
  LOG_LEVEL: 'error',
}

/** Makes auctions last longer than any measurement. */
export const longAuctions = { AUCTION_DURATION_MS: '600000' }

/** The server as an operator starts it. */
export const serverMain = new URL('../../../apps/server/src/main.ts', import.meta.url)

/** Starts a real chain and, before it, the server as an operator would. Nothing is left running when that fails. */
export async function startStand(makerCount = 200, settings: Record<string, string> = {}): Promise<Stand> {
  await using stack = new AsyncDisposableStack()
  // Blocks are as frequent as on the chain that the service is made for.
  const devnet = await startDevnet({ blockTime: 2 })
  stack.defer(devnet.stop)
  const makers = Array.from({ length: makerCount }, (_, index) => {
    const privateKey = keccak256(stringToHex(`firmquote bench maker ${index}`))
    return { address: privateKeyToAddress(privateKey), privateKey }
  })
  await fundMakers(devnet, makers)
  const server = stack.use(await startProgram(serverMain, { RPC_URL: devnet.rpcUrl, ...settings }))
  const domain = { chainId: devnet.chainId, quoteMarket: devnet.contracts.quoteMarket }
  const allSeries = devnet.pools.flatMap(({ poolId, series }) => series.map(({ seriesKey }) => ({ poolId, seriesKey })))
  const sign = await createQuotes(makers, allSeries, domain)
  const [, series] = allSeries
  if (!series) throw new TypeError('The devnet has no second series.')
  const running = stack.move()
  return {
    ...{ server, domain, devnet, series, makers, sign },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Starts a program with an empty `DATA_DIR`, and waits until it prints `ready <url>`.
 *
 * @throws {TypeError} when it ends before it is ready; its own message is on the terminal.
 */
export async function startProgram(file: URL, settings: Record<string, string>): Promise<Program> {
  const service = startService<Probe>(file, {
    env: { ...roomySettings, PORT: '0', DATA_DIR: createTemporaryDirectory(), ...settings },
    execArgv: ['--expose-gc', `--import=${new URL('probe.ts', import.meta.url)}`],
  })
  const url = await service.ready()
  return { ...service, url, wsUrl: `${url.replace(/^http/, 'ws')}/ws/rfq` }
}

/** Starts the rival on the stand's chain: on an empty database of PostgreSQL, or on a file of SQLite. */
export function startRival(
  { devnet, domain }: Pick<Stand, 'devnet' | 'domain'>,
  { databaseUrl, readsChain = true }: { databaseUrl?: string; readsChain?: boolean } = {},
): Promise<Program> {
  const settings: RivalSettings = {
    ...{ rpcUrl: devnet.rpcUrl, domain, interestRatePool: devnet.contracts.interestRatePool },
    ...(databaseUrl !== undefined && { databaseUrl }),
    readsChain,
    quotesPerMaker: Number(roomySettings.STORED_QUOTES_PER_MAKER),
  }
  return startProgram(new URL('../rivalStack/rivalServer.ts', import.meta.url), { RIVAL: JSON.stringify(settings) })
}

/** Gives every maker loan tokens and an allowance for the quote market, by the node's test methods and in few requests. */
async function fundMakers({ rpcUrl, contracts }: Devnet, makers: readonly DevnetAccount[]): Promise<void> {
  const { loanToken, quoteMarket } = contracts
  // Raw units of 6 decimals: more than all quotes of a run together.
  const balance = numberToHex(1_000_000_000_000_000n)
  const calls = makers.flatMap(({ address }) => [
    { method: 'anvil_dealERC20', params: [address, loanToken, balance] },
    { method: 'anvil_setERC20Allowance', params: [address, quoteMarket, loanToken, numberToHex(maxUint256)] },
  ])
  for (let start = 0; start < calls.length; start += 200) await sendBatch(rpcUrl, calls.slice(start, start + 200))
  await sendBatch(rpcUrl, [{ method: 'evm_mine', params: [] }])
}

async function sendBatch(rpcUrl: string, calls: readonly { method: string; params: readonly unknown[] }[]) {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const results = (await answer.json()) as { error?: { message: string } }[]
  const failed = results.find(({ error }) => error)
  if (failed?.error) throw new TypeError(`The makers could not be funded: ${failed.error.message}`)
}

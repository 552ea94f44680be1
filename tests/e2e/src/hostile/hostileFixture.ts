import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { RFQRequest } from '@firmquote/core'
import type { ServersOptions } from '@firmquote/test-support/startServers'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { expect } from '@jest/globals'
import type { HonestAuction, HonestSetup, HonestTold } from './honestUsers.ts'

/**
 * A server with its default settings on a real chain, and honest users who go on while a test attacks it. The honest users run in
 * a thread of their own, so that they measure the server and not the attacker. With three servers, honest users and attackers are
 * spread over them.
 */
export type HostileFixture = Stack & {
  /** Connects the honest backer, and has the honest borrower open an auction every so often until `finish`. */
  startHonest(options?: HonestOptions): Promise<HonestUsers>
}

/** How the honest users behave. */
export type HonestOptions = {
  /** Milliseconds between two RFQs: with auctions of 15 s, at most two are open. Default 8 000. */
  everyMs?: number
  /** What is asked for besides the series; 10,000 tUSD by default. */
  request?: Partial<Pick<RFQRequest, 'notional' | 'minNotional' | 'taker' | 'takerProof' | 'shareRecord'>>
  /** Milliseconds between two requests for `/livez`, each by a connection of its own. Default 100. */
  livezEveryMs?: number
}

/** The honest users. */
export type HonestUsers = {
  /** The auctions that have been asked for so far, oldest first. */
  auctions: readonly HonestAuction[]
  /** Resolves when so many auctions have got their first quote. Rejects when the users fail. */
  quoted(count: number): Promise<void>
  /** Opens no more auctions, lets the open ones end, and says what was measured. */
  finish(): Promise<HonestFigures>
}

/** What the honest users have measured. Times are milliseconds. */
export type HonestFigures = {
  auctions: readonly HonestAuction[]
  /** Of `/livez`; an answer that is not 200 counts as `Infinity`. */
  livezMs: readonly number[]
  p99: { startedMs: number; quotedMs: number; livezMs: number }
  /** Why the honest backer's quotes for the honest borrower were not accepted. */
  refusals: readonly string[]
  /** The slowest answer of a bare HTTP server beside it, asked at the same moments: what the machine itself makes of it. */
  slowestBareMs: number
}

/** Starts the chain, which mines every two seconds as that of the quick start, and what serves; `settings` are the servers'. */
export async function startHostileFixture(
  settings: Record<string, string> = {},
  options: ServersOptions = {},
): Promise<HostileFixture> {
  const stack = await startStack(settings, { blockTime: 2, proxied: false, ...options })
  const workers = new Set<Worker>()
  const { devnet, servers, series } = stack
  return {
    ...stack,
    startHonest({ everyMs = 8_000, livezEveryMs = 100, request = {} } = {}) {
      const setup = {
        ...{ urls: servers.urls, chainId: devnet.chainId, contracts: { ...devnet.contracts }, everyMs, livezEveryMs },
        privateKey: devnet.backers[0].privateKey,
        request: { ...series, notional: 10_000_000_000n, ...request },
      }
      return startHonestUsers(setup, workers)
    },
    async stop() {
      await Promise.all([...workers].map((worker) => worker.terminate()))
      servers.signal('SIGKILL')
      await stack.stop()
    },
  }
}

const bareServer = `
  const { createServer } = require('node:http')
  const server = createServer((_, res) => res.end())
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage('http://127.0.0.1:' + server.address().port))
`

async function startHonestUsers(setup: Omit<HonestSetup, 'bareUrl'>, workers: Set<Worker>): Promise<HonestUsers> {
  const bare = new Worker(bareServer, { eval: true })
  const [bareUrl] = (await once(bare, 'message')) as [string]
  const worker = new Worker(new URL('./honestUsers.ts', import.meta.url), { workerData: { ...setup, bareUrl } })
  for (const started of [bare, worker]) workers.add(started)
  const auctions: HonestAuction[] = []
  let finished: Extract<HonestTold, { type: 'finished' }> | undefined
  let isReady = false
  let failure: Error | undefined
  const waiting = new Set<() => void>()
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (failure) reject(failure)
        else if (holds()) resolve()
        else return
        waiting.delete(look)
      }
      waiting.add(look)
      look()
    })
  const wake = () => {
    for (const look of [...waiting]) look()
  }
  const fail = (error: Error) => {
    failure ??= error
    wake()
  }
  worker.on('message', (told: HonestTold) => {
    if (told.type === 'ready') isReady = true
    else if (told.type === 'auction') auctions[told.index] = told.auction
    else finished = told
    wake()
  })
  worker.on('error', fail)
  worker.on('exit', () => {
    workers.delete(worker)
    fail(new TypeError('The honest users have ended.'))
  })
  await until(() => isReady)
  return {
    auctions,
    quoted: (count) => until(() => auctions.filter(({ quotes }) => quotes > 0).length >= count),
    async finish() {
      worker.postMessage('finish')
      await until(() => finished !== undefined)
      await Promise.all([worker.terminate(), bare.terminate()])
      const { livezMs = [], bareMs = [], refusals = [] } = finished ?? {}
      const of = (time: 'startedMs' | 'quotedMs') =>
        percentile99(auctions.map((auction) => auction[time] ?? Number.POSITIVE_INFINITY))
      return {
        auctions,
        livezMs,
        refusals,
        p99: { startedMs: of('startedMs'), quotedMs: of('quotedMs'), livezMs: percentile99(livezMs) },
        slowestBareMs: Math.max(0, ...bareMs),
      }
    },
  }
}

/** The nearest-rank 99th percentile; NaN of nothing. With fewer than 100 values it is the greatest. */
export function percentile99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN
}

/** Prints what an attack has cost and what the honest users got. */
export function printHonest(attack: string, { auctions, livezMs, p99, refusals, slowestBareMs }: HonestFigures): void {
  const round = (ms: number) => (Number.isFinite(ms) ? `${Math.round(ms)} ms` : 'never')
  const quoted = auctions.filter(({ quotes, doneMs }) => quotes > 0 && doneMs !== null).length
  process.stdout.write(
    `${attack}: ${quoted} of ${auctions.length} honest auctions ended with quotes; p99 until started ` +
      `${round(p99.startedMs)}, until the first quote ${round(p99.quotedMs)}; /livez p99 ${round(p99.livezMs)}, ` +
      `slowest ${round(Math.max(...livezMs))} of ${livezMs.length} (of a bare server ${round(slowestBareMs)})${refusals.map((refusal) => `; refused: ${refusal}`).join('')}\n`,
  )
}

/** An address of this machine that a socket may have as its `localAddress`: each is a network of its own to the server. */
export function networkAddress(index: number): string {
  return `127.${1 + (index >> 8)}.${index & 255}.1`
}

/** Waits until something holds, which is looked at every 50 ms; gives whether it did within this time. */
export async function holdsWithin(withinMs: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(50)
  }
  return true
}

/** What a test of an attack expects of each honest auction: one quote, and no error. */
export function expectHonestServed({ auctions }: HonestFigures): void {
  expect(auctions.map(({ quotes, error }) => ({ quotes, error }))).toEqual(
    auctions.map(() => ({ quotes: 1, error: null })),
  )
}

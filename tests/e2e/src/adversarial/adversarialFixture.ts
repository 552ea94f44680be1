import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { RFQRequest } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { type StackOptions, startStack } from '@firmquote/test-support/startStack'
import { expect } from '@jest/globals'
import { quantile } from '../quantile.ts'
import type { HonestAuction, HonestReport, HonestSetup } from './honestUsers.ts'

/**
 * A server with default settings on a real chain, and honest users who keep using it while a test attacks it. The
 * honest users run in a separate thread, so that their measurements reflect the server, not the attacker. If there are
 * three servers, the honest users and attackers are distributed over them.
 */
export type AdversarialFixture = Awaited<ReturnType<typeof startAdversarialFixture>>

/** Options for the honest users. */
type HonestOptions = {
  /** Milliseconds between RFQs. The default is 8,000, so that at most two of the 15-second auctions are open. */
  everyMs?: number
  /** Additional request fields. The default is a request for 10,000 tUSD without a taker. */
  request?: Partial<Pick<RFQRequest, 'taker' | 'takerProof'>>
}

/** The honest users' measurements, in milliseconds. */
export type HonestFigures = HonestReport & { slowestBareMs: number }

/** Starts the servers with these settings and a chain that mines every two seconds, as in the quick start. */
export async function startAdversarialFixture(settings: Record<string, string> = {}, options: StackOptions = {}) {
  const stack = await startStack(settings, { blockTime: 2, proxied: false, ...options })
  const workers: Worker[] = []
  const { devnet, servers, series } = stack
  return {
    ...stack,
    /**
     * Connects the honest backer and starts the honest borrower, which opens auctions at regular intervals until
     * `finish` is called.
     */
    startHonest({ everyMs = 8_000, request = {} }: HonestOptions = {}) {
      const asked = { ...series, notional: 10_000_000_000n, ...request }
      const setup: HonestSetup = { urls: servers.urls, backer: devnet.backers[0], request: asked, everyMs }
      const worker = new Worker(new URL('./honestUsers.ts', import.meta.url), { workerData: setup })
      workers.push(worker)
      return startHonestUsers(worker)
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()))
      servers.signal('SIGKILL')
      await stack.stop()
    },
  }
}

async function startHonestUsers(worker: Worker) {
  let report: HonestReport = { auctions: [], livezMs: [], bareMs: [], refusals: [] }
  worker.on('message', (told: HonestReport) => {
    report = told
  })
  const ended = once(worker, 'exit')
  const failed = ended.then(() => Promise.reject(new TypeError('The honest users stopped.')))
  // The next caller to wait receives the failure.
  failed.catch(() => {})
  const told = () => Promise.race([once(worker, 'message'), failed])
  await told()
  return {
    /** The auctions requested so far, oldest first. */
    auctions: (): readonly HonestAuction[] => report.auctions,
    /** Resolves once `count` auctions have received their first quote. Rejects if the users fail. */
    async quoted(count: number): Promise<void> {
      while (report.auctions.filter(({ quotes }) => quotes > 0).length < count) await told()
    },
    /** Stops opening auctions, waits until the open ones end, and returns the measurements. */
    async finish(): Promise<HonestFigures> {
      worker.postMessage('finish')
      await ended
      return { ...report, slowestBareMs: Math.max(0, ...report.bareMs) }
    },
  }
}

/** Prints the honest users' results during an attack. */
export function printHonest(attack: string, { auctions, livezMs, refusals, slowestBareMs }: HonestFigures): void {
  const round = (ms: number) => (Number.isFinite(ms) ? `${Math.round(ms)} ms` : 'never')
  const p99 = (values: readonly (number | null)[]) =>
    round(
      quantile(
        values.map((ms) => ms ?? Number.POSITIVE_INFINITY),
        0.99,
      ),
    )
  const quoted = auctions.filter(({ quotes, doneMs }) => quotes > 0 && doneMs !== null).length
  process.stdout.write(
    `${attack}: ${quoted} of ${auctions.length} honest auctions ended with quotes; p99 until started ` +
      `${p99(auctions.map(({ startedMs }) => startedMs))}, until the first quote ` +
      `${p99(auctions.map(({ quotedMs }) => quotedMs))}; /livez p99 ${p99(livezMs)}, slowest ${round(Math.max(...livezMs))} ` +
      `of ${livezMs.length} (of a bare server ${round(slowestBareMs)}); refused: ${refusals.join(', ') || 'nothing'}\n`,
  )
}

/** The default `DEBT_AGE_BLOCKS`. A fixture's servers count new debts, unless a test passes another value. */
export const debtAgeBlocks = 100

/** Waits until the servers have synced the newest block. */
export async function expectSynced({ devnet, url }: Pick<AdversarialFixture, 'devnet' | 'url'>): Promise<void> {
  const client = new ServiceClient({ orderbookUrl: url })
  const head = Number(await devnet.publicClient.getBlockNumber({ cacheTime: 0 }))
  expect(await holdsWithin(10_000, async () => ((await client.getHealth()).sync.synced ?? 0) >= head)).toBe(true)
}

/** Mines blocks without the passing of time until every debt is `debtAgeBlocks` old, and waits until they are synced. */
export async function ageDebts(fixture: Pick<AdversarialFixture, 'devnet' | 'url'>): Promise<void> {
  await fixture.devnet.testClient.mine({ blocks: debtAgeBlocks + 1, interval: 0 })
  await expectSynced(fixture)
}

/** A loopback address for a socket's `localAddress`. The server treats each address as a separate network. */
export function networkAddress(index: number): string {
  return `127.${1 + (index >> 8)}.${index & 255}.1`
}

/** Polls a condition every 50 ms. Returns whether the condition was met within the time limit. */
export async function holdsWithin(withinMs: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > end) return false
    await sleep(50)
  }
  return true
}

/** Checks that each honest auction received one quote and no error. */
export function expectHonestServed({ auctions }: HonestFigures): void {
  expect(auctions.map(({ quotes, error }) => ({ quotes, error }))).toEqual(
    auctions.map(() => ({ quotes: 1, error: null })),
  )
}

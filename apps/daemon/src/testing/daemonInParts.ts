import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  aprToRatePerSec,
  ChainUnavailableError,
  hashQuote,
  type PublicRfqId,
  type QuoteAckMessage,
  type RFQBroadcast,
  toPublicRfqId,
} from '@firmquote/core'
import { ConnectionError } from '@firmquote/sdk'
import { type Address, bytesToHex, type Hex } from 'viem'
import { createSqliteStore } from '../adapters/sqliteStore/createSqliteStore.ts'
import { createDaemon, type DaemonDeps } from '../app/createDaemon.ts'
import type { MakerFunds } from '../domain/exposure.ts'
import { priceRfq } from '../domain/priceRfq.ts'
import type { ServiceEvents } from '../ports/service.ts'
import { examplePolicy } from './examplePolicy.ts'
import { exampleNow, exampleRfq } from './exampleRfq.ts'
import { createFakeClock } from './fakeClock.ts'

const maker: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const domain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const

/** What a test may hold a submission back with, and then let through. */
export type Gate = { wait: Promise<void>; open(): void }

/** A closed gate. */
export function createGate(): Gate {
  let open = () => {}
  const wait = new Promise<void>((resolve) => {
    open = resolve
  })
  return { wait, open: () => open() }
}

/**
 * A daemon on a real database, with a chain and a service that a test plays. `restart` is a new life on the same disk, as
 * after kill -9: nothing of the old one is ended in order.
 */
export async function startInParts(changes: Partial<DaemonDeps> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-daemon-'))
  const clock = createFakeClock(exampleNow * 1_000)
  const logged: { level: string; facts: Record<string, unknown>; message: string }[] = []
  const write = (level: string) => (facts: object, message: string) => {
    logged.push({ level, facts: { ...facts }, message })
  }
  const world = {
    funds: {
      loanToken: '0x2222222222222222222222222222222222222222',
      timestamp: BigInt(exampleNow),
      nonce: 0n,
      balance: 3_000_000_000n,
      allowance: 2n ** 256n - 1n,
      ended: new Set<Hex>(),
    } as MakerFunds,
    expiry: exampleRfq.expiry,
    capacity: 10n ** 18n,
    isChainDown: false,
    isLineUp: true,
    /** How many turns of the event loop a view of the chain is old when it arrives. */
    viewTurns: 0,
    readGate: null as Gate | null,
    signGate: null as Gate | null,
    ackGate: null as Gate | null,
    /** What the service says of a quote. */
    verdict: 'accepted' as 'accepted' | 'NONCE_MISMATCH' | 'lost' | 'not sent',
    submitted: [] as { rfqId: PublicRfqId; hash: Hex; notional: bigint; signature: Hex }[],
    declined: [] as { rfqId: PublicRfqId; reason: string }[],
    disconnected: false,
    shutdowns: 0,
    refusals: [] as Error[],
  }
  let events: ServiceEvents | undefined
  let opened: Awaited<ReturnType<typeof createSqliteStore>> | undefined

  async function live() {
    const store = await createSqliteStore({ file: join(folder, 'daemon.db'), now: clock.now() })
    opened = store
    const daemon = await createDaemon({
      maker,
      domain,
      store,
      clock,
      pricer: priceRfq,
      policy: examplePolicy,
      randomSalt: () => bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
      maxBlockAgeSeconds: 120,
      version: '1.2.3',
      log: { info: write('info'), warn: write('warn'), error: write('error') },
      onReady() {},
      onShutdown: () => {
        world.shutdowns += 1
      },
      onRefused: (error) => world.refusals.push(error),
      chain: {
        async check() {},
        async readMaker({ poolId }) {
          await world.readGate?.wait
          if (world.isChainDown) throw new ChainUnavailableError('The chain could not be read.')
          if (poolId !== exampleRfq.poolId) return null
          const { funds, expiry, capacity } = world
          for (let turns = 0; turns < world.viewTurns; turns++) await new Promise((resolve) => setImmediate(resolve))
          const series = { poolId, expiry, cap: capacity, outstanding: 0n }
          const block = { number: 1n, hash: poolId, timestamp: funds.timestamp }
          return { block, funds, series: { series, capacity }, floatingRatePerSec: aprToRatePerSec(5), decimals: 6 }
        },
        readEnded: async () => ({ timestamp: world.funds.timestamp, ended: world.funds.ended }),
        async raiseNonce() {
          world.funds = { ...world.funds, nonce: world.funds.nonce + 1n }
          return { transactionHash: `0x${'99'.repeat(32)}`, nonce: world.funds.nonce }
        },
      },
      service: {
        url: 'http://localhost:3005',
        isConnected: () => world.isLineUp,
        isAuthenticated: () => world.isLineUp,
        connect(given) {
          events = given
        },
        disconnect() {
          world.disconnected = true
        },
        async sign(quote) {
          await world.signGate?.wait
          return `0x${hashQuote(quote, domain).slice(2).repeat(2)}1b`
        },
        async submit(rfqId, signed) {
          if (world.verdict === 'not sent') throw new ConnectionError('No line.', { sent: 'no' })
          const { signature } = signed
          const hash: Hex = `0x${signature.slice(2, 66)}`
          world.submitted.push({ rfqId, hash, notional: BigInt(signed.notional), signature })
          await world.ackGate?.wait
          if (world.verdict === 'lost') throw new ConnectionError('It broke.', { sent: 'maybe' })
          const ack: QuoteAckMessage =
            world.verdict === 'accepted'
              ? { type: 'quote_ack', rfqId, status: 'accepted', hash, receivedAt: clock.now(), closesAt: clock.now() }
              : { type: 'quote_ack', rfqId, status: 'rejected', code: world.verdict, message: 'No.' }
          return ack
        },
        decline(rfqId, reason) {
          world.declined.push({ rfqId, reason })
        },
      },
      ...changes,
    })
    daemon.start()
    return { daemon, store }
  }

  let life = await live()
  return {
    world,
    clock,
    logged,
    maker,
    domain,
    get daemon() {
      return life.daemon
    },
    get control() {
      return life.daemon.control
    },
    get store() {
      return life.store
    },
    /** An RFQ arrives. */
    ask(rfq: Partial<RFQBroadcast> = {}): RFQBroadcast {
      const id = toPublicRfqId(String(Math.random()).slice(2).padEnd(32, '0').slice(0, 32))
      const whole = { ...exampleRfq, rfqId: id, openedAt: clock.now(), closesAt: clock.now() + 15_000, ...rfq }
      events?.onRfq(whole)
      return whole
    },
    /** The line is back. */
    reconnect: () => events?.onAuthenticated(),
    tell: (result: Parameters<ServiceEvents['onResult']>[0]) => events?.onResult(result),
    async restart() {
      await opened?.close()
      life = await live()
    },
    async end() {
      await opened?.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Waits until something holds; the steps between are the daemon's own. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 10_000) throw new TypeError('It never came to be.')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

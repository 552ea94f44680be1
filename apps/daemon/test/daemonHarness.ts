import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  aprToRatePerSec,
  ChainUnavailableError,
  type Code,
  hashQuote,
  type PublicRfqId,
  type RFQBroadcast,
  toPublicRfqId,
} from '@firmquote/core'
import { ConnectionError, SignerError } from '@firmquote/sdk'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { createListLog } from '@firmquote/test-support/listLog'
import { type Address, bytesToHex, type Hex } from 'viem'
import { createSqliteStore } from '../src/adapters/sqliteStore/createSqliteStore.ts'
import { createDaemon, type DaemonDeps } from '../src/app/createDaemon.ts'
import type { MakerFunds } from '../src/domain/exposure.ts'
import type { Fill } from '../src/domain/fill.ts'
import type { PublishedCurve } from '../src/domain/marketView.ts'
import { priceRfq } from '../src/domain/priceRfq.ts'
import type { ChainPosition } from '../src/ports/positionChain.ts'
import type { Service, ServiceEvents } from '../src/ports/service.ts'
import type { Store } from '../src/ports/store.ts'
import { examplePolicy } from './examplePolicy.ts'
import { exampleNow, exampleRfq } from './exampleRfq.ts'

const maker: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const domain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const

/** Blocks a step until a test opens it. */
export type Gate = { wait: Promise<void>; open(): void }

/** A service's log, as the daemon reads it. */
export type ProofReads = Pick<Service, 'readLogSettings' | 'openLog' | 'readAuction' | 'readProof'>

/** Creates a closed gate. */
export function createGate(): Gate {
  const { promise: wait, resolve: open } = createDeferred()
  return { wait, open }
}

/**
 * Starts a daemon with a real database and a chain and service that the test controls. `restart` starts a new run on
 * the same disk without shutting down the old one, as after `kill -9`. By default, the service keeps no log.
 */
export async function startDaemonHarness(changes: Partial<DaemonDeps> = {}, proofReads: Partial<ProofReads> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-daemon-'))
  const clock = createFakeClock(exampleNow * 1_000)
  const log = createListLog()
  const world = {
    funds: {
      loanToken: '0x2222222222222222222222222222222222222222',
      timestamp: BigInt(exampleNow),
      nonce: 0n,
      balance: 3_000_000_000n,
      allowance: 2n ** 256n - 1n,
      ended: new Set<Hex>(),
    } as MakerFunds,
    /** The maker's native coins, in wei. */
    gasBalance: 10n ** 18n,
    /** Curves reported by the service. Null if the service does not answer. */
    curves: [] as PublishedCurve[] | null,
    /** The contract's positions in order. Null if reading positions fails. */
    positions: [] as ChainPosition[] | null,
    /** Number of the newest block, the series with a checkpoint, and the series that the daemon observed. */
    blockNumber: 1n,
    checkpoints: new Set<Hex>(),
    observed: [] as Hex[],
    /** Number of times the maker's funds were read. */
    rounds: 0,
    expiry: exampleRfq.expiry,
    capacity: 10n ** 18n,
    isChainDown: false,
    /** Fills that the node reports, by quote. */
    fills: new Map<Hex, Fill>(),
    /** Sequence number after which the daemon requested a replay. */
    resumedFrom: -1,
    isConnected: true,
    /** Delay of a chain read, in ticks of the event loop. */
    viewTurns: 0,
    readGate: null as Gate | null,
    signGate: null as Gate | null,
    ackGate: null as Gate | null,
    /** The service's verdict on a quote. */
    verdict: 'accepted' as 'accepted' | Code | 'lost' | 'not sent',
    failsToSign: false,
    /** Number of quotes stored (`reserved`) and removed again (`released`). */
    reserved: 0,
    released: 0,
    submitted: [] as { rfqId: PublicRfqId; hash: Hex; notional: bigint; signature: Hex }[],
    declined: [] as { rfqId: PublicRfqId; reason: string }[],
    disconnected: false,
    shutdowns: 0,
  }
  const disconnected = createGate()
  let events: ServiceEvents | undefined
  let opened: Store | undefined

  async function run() {
    const database = await createSqliteStore({ file: join(folder, 'daemon.db'), now: clock.now() })
    opened = database
    const store: Store = {
      ...database,
      add: (record) => database.add(record).then(() => void world.reserved++),
      remove: (hash) => database.remove(hash).then(() => void world.released++),
    }
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
      hook: null,
      dryRun: false,
      log,
      onReady() {},
      onShutdown: () => void world.shutdowns++,
      onRefused() {},
      chain: {
        async check() {},
        async readMaker({ poolId }) {
          await world.readGate?.wait
          requireChain(!world.isChainDown)
          if (poolId !== exampleRfq.poolId) return null
          const { funds, expiry, capacity } = world
          for (let turns = 0; turns < world.viewTurns; turns++) await new Promise((resolve) => setImmediate(resolve))
          const series = { poolId, expiry, cap: capacity, outstanding: 0n }
          const block = { number: 1n, hash: poolId, timestamp: funds.timestamp }
          return { block, funds, series: { series, capacity }, floatingRatePerSec: aprToRatePerSec(5), decimals: 6 }
        },
        readEnded: async () => ({ timestamp: world.funds.timestamp, ended: world.funds.ended }),
        async readFill(hash, block) {
          requireChain(!world.isChainDown)
          const fill = world.fills.get(hash)
          return fill?.block === block ? fill : null
        },
        async raiseNonce() {
          world.funds = { ...world.funds, nonce: world.funds.nonce + 1n }
          return { transactionHash: `0x${'99'.repeat(32)}`, nonce: world.funds.nonce }
        },
      },
      positionChain: {
        async checkKeeper() {},
        async readPositions(ids) {
          const positions = world.positions?.filter(({ positionId }) => ids.includes(positionId))
          requireChain(positions)
          return { now: Number(world.funds.timestamp), positions }
        },
        simulateSettlements: async () => ({ now: Number(world.funds.timestamp), settlements: [] }),
        settleMany: async () => null,
        async readCheckpoints(keys) {
          requireChain(!world.isChainDown)
          const taken = new Set(keys.filter((key) => world.checkpoints.has(key)))
          return { number: world.blockNumber, timestamp: Number(world.funds.timestamp), taken }
        },
        async observe(keys) {
          world.observed.push(...keys)
          return `0x${'97'.repeat(32)}`
        },
        findCheckpoints: async () =>
          [...world.checkpoints].map((seriesKey) => ({ seriesKey, readAt: Number(world.funds.timestamp) })),
        readCredits: async () => [],
        withdraw: async () => ({ transactionHash: `0x${'98'.repeat(32)}` }),
        async readGasFunds() {
          world.rounds += 1
          requireChain(!world.isChainDown)
          return { gasPrice: 1n, balance: world.gasBalance, isPending: false }
        },
        async readHoldings() {
          const { loanToken, timestamp, balance, allowance } = world.funds
          const holding = { loanToken, decimals: 6, symbol: 'tUSD', balance, allowance }
          return { now: Number(timestamp), holdings: [holding] }
        },
        readLoanTokens: async () => [world.funds.loanToken],
      },
      keeper: { mode: 'off', maxGas: 10n ** 7n, maxGasPrice: 1n, tokensPerCoin: 1n, latestSeconds: 0 },
      checkpoints: true,
      witness: null,
      alertLimits: { lowPercent: 10, transactions: 20 },
      alertHook: null,
      proofFiles: null,
      witnesses: [],
      service: {
        url: 'http://localhost:3005',
        isConnected: () => world.isConnected,
        isAuthenticated: () => world.isConnected,
        connect(given, { resumeFrom }) {
          events = given
          world.resumedFrom = resumeFrom
        },
        async disconnect() {
          world.disconnected = true
          // Submissions without a verdict fail when the connection closes.
          disconnected.open()
        },
        async sign(quote) {
          await world.signGate?.wait
          if (world.failsToSign) throw new SignerError('SIGNING_FAILED', 'The quote was not signed.')
          return `0x${hashQuote(quote, domain).slice(2).repeat(2)}1b`
        },
        async submit(rfqId, signed) {
          if (world.verdict === 'not sent') throw new ConnectionError('No connection.', { sent: 'no' })
          const { signature } = signed
          const hash: Hex = `0x${signature.slice(2, 66)}`
          world.submitted.push({ rfqId, hash, notional: BigInt(signed.notional), signature })
          await Promise.race([world.ackGate?.wait, disconnected.wait])
          if (world.disconnected || world.verdict === 'lost') throw new ConnectionError('It broke.', { sent: 'maybe' })
          const ack = { type: 'quote_ack', rfqId } as const
          if (world.verdict !== 'accepted') return { ...ack, status: 'rejected', code: world.verdict, message: 'No.' }
          return { ...ack, status: 'accepted', hash, receivedAt: clock.now(), closesAt: clock.now() }
        },
        async readCurves() {
          if (world.curves === null) throw new ConnectionError('It broke.', { sent: 'no' })
          return world.curves
        },
        readLogSettings: async () => null,
        openLog: () => {
          throw new TypeError('The service keeps no log.')
        },
        readAuction: async () => ({ open: null, close: null, hashes: [] }),
        readProof: async () => '',
        ...proofReads,
        decline: (rfqId, reason) => void world.declined.push({ rfqId, reason }),
      },
      ...changes,
    })
    daemon.start()
    return { daemon, store }
  }

  let current = await run()
  return {
    world,
    clock,
    logged: log.entries,
    maker,
    domain,
    get daemon() {
      return current.daemon
    },
    get control() {
      return current.daemon.control
    },
    get store() {
      return current.store
    },
    /** Delivers an RFQ. */
    ask(rfq: Partial<RFQBroadcast> = {}): RFQBroadcast {
      const id = toPublicRfqId(String(Math.random()).slice(2).padEnd(32, '0').slice(0, 32))
      const whole = { ...exampleRfq, rfqId: id, openedAt: clock.now(), closesAt: clock.now() + 15_000, ...rfq }
      events?.onRfq(whole)
      return whole
    },
    /** Signals a reconnect. */
    reconnect: () => events?.onAuthenticated(),
    deliverStatus: (status: Parameters<ServiceEvents['onStatus']>[0]) => events?.onStatus(status),
    deliverReceipt: (message: Parameters<ServiceEvents['onReceipt']>[0]) => events?.onReceipt(message),
    deliverResult: (result: Parameters<ServiceEvents['onResult']>[0]) => events?.onResult(result),
    async restart() {
      await opened?.close()
      current = await run()
    },
    async end() {
      await opened?.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function requireChain(condition: unknown): asserts condition {
  if (!condition) throw new ChainUnavailableError('Failed to read the chain.')
}

/** Waits until a condition is true, checking on each tick of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 10_000) throw new TypeError('The condition did not hold within 10,000 ticks of the event loop.')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

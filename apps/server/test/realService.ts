import { randomBytes } from 'node:crypto'
import {
  deserializeSignedQuote,
  type QuoteDomain,
  type QuoteMarketQuote,
  quoteEip712Domain,
  type SignedQuote,
} from '@firmquote/core'
import { type Devnet, type DevnetAccount, quoteMarketAbi } from '@firmquote/devnet'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll } from '@jest/globals'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../src/adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../src/adapters/inProcessQuotas.ts'
import {
  createSignatureThreads,
  type SignatureThreads,
} from '../src/adapters/signatureThreads/createSignatureThreads.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import type { Retention } from '../src/adapters/sqlStore/retention.ts'
import { createRpcClient, createViemChain } from '../src/adapters/viemChain/viemChain.ts'
import { createService } from '../src/app/createService.ts'
import type { BackerSession, Service } from '../src/app/service.ts'
import type { ServiceLimits, SyncSettings } from '../src/app/serviceDeps.ts'
import { quoteRules } from '../src/domain/quoteRules.ts'
import type { Store } from '../src/ports/store.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import { createQuote, domainOf, signQuote } from './signedQuotes.ts'
import { waitUntil } from './waitUntil.ts'

/** The use cases on a real chain and a real store, with a fake clock. */
export type RealService = Service & {
  clock: FakeClock
  /** The proxy between the service and the chain. */
  node: RpcProxy
  store: Store
  logs: { facts: Record<string, unknown>; message: string }[]
  /**
   * Starts another instance on the same store, chain and clock: with the same bus, or with one whose messages reach nobody
   * else. It is stopped with the first one.
   */
  startInstance(options?: InstanceOptions): Service
  close(): Promise<void>
}

type InstanceOptions = {
  bus?: 'shared' | 'own'
  /** Wraps the store with faults. */
  withStore?: (store: Store) => Store
  auctionDurationMs?: number
}

/** The devnet mines on transactions only, so its newest block may be old. */
const tenYears = 315_360_000

const defaultLimits: ServiceLimits = {
  bodyBytes: 16_384,
  rfqsPerMinute: 1_000,
  openRfqs: 1_000,
  storedQuotesPerMaker: 1_000,
  socketsPerBacker: 3,
  ...quoteRules,
  dustLimits: new Map(),
  openAuctions: 1_000,
  runningJudgements: 1_000,
}

/** By their domain, for all services of a test file: a thread that recovers signers is slow to start. */
const signatureThreads = new Map<string, Promise<SignatureThreads>>()

function signaturesOf(domain: QuoteDomain): Promise<SignatureThreads> {
  const key = JSON.stringify(domain)
  const threads = signatureThreads.get(key) ?? createSignatureThreads({ domain, threads: 1 })
  signatureThreads.set(key, threads)
  return threads
}

afterAll(async () => {
  for (const threads of signatureThreads.values()) await (await threads).close()
  signatureThreads.clear()
})

/** Starts the use cases; `withStore` may wrap the store with faults. */
export async function startRealService(
  devnet: Devnet,
  options: {
    limits?: Partial<ServiceLimits>
    sync?: Partial<SyncSettings>
    synced?: false
    withStore?: (store: Store) => Store
    /** Not called: the test takes up the open auctions itself. */
    resumed?: false
    /** By default a clock of its own. */
    clock?: FakeClock
    /** By default in memory. */
    file?: string
    /** By default one of its own. A given one is left open: another service goes on with it, as after a restart. */
    store?: Store
    /** Applied after every auction. */
    retention?: Retention
    /** How long the node may take to answer. On a busy machine a real one takes seconds. */
    rpcTimeoutMs?: number
    provenMakers?: ReadonlySet<string>
  } = {},
): Promise<RealService> {
  const domain = domainOf(devnet)
  const { quoteMarket, interestRatePool, bundler3, keeperBundler } = devnet.contracts
  const limits = { ...defaultLimits, ...options.limits }
  const clock = options.clock ?? createFakeClock()
  const node = await startRpcProxy(devnet.rpcUrl)
  const { file = ':memory:', retention, rpcTimeoutMs = 10_000 } = options
  const store = options.store ?? (await createSqliteStore({ file, ...(retention && { retention, pruneEvery: 1 }) }))
  // Until its file has been looked at, nothing new is begun.
  if (!options.store) await waitUntil(() => store.integrity() === 'ok')
  const signatures = await signaturesOf(domain)
  const logs: RealService['logs'] = []
  const write = (facts: Record<string, unknown>, message: string) => void logs.push({ facts, message })
  const log = { debug: write, info: write, warn: write, error: write }
  const createBus = () => createInProcessBus({ onError: (err) => write({ err }, 'a message could not be handled') })
  const bus = createBus()
  const client = createRpcClient({ rpcUrl: node.url, timeoutMs: rpcTimeoutMs })
  const chain = createViemChain({ client, quoteMarket, interestRatePool })
  const instances: Service[] = []
  const startInstance = ({ bus: kind = 'shared', withStore, auctionDurationMs = 15_000 }: InstanceOptions = {}) => {
    const instance = createService({
      clock,
      chain,
      signatures,
      store: withStore?.(store) ?? store,
      bus: kind === 'shared' ? bus : createBus(),
      quotas: createInProcessQuotas(clock, limits),
      presence: createInProcessPresence(limits.socketsPerBacker),
      random: randomBytes,
      domain,
      interestRatePool,
      limits,
      sync: {
        deployBlock: 0,
        intervalMs: 1_000,
        headDegradedSeconds: tenYears,
        headStaleSeconds: tenYears,
        ...options.sync,
      },
      auctionDurationMs,
      ...(options.provenMakers && { provenMakers: options.provenMakers }),
      log,
      version: '1.2.3',
      config: {
        apiVersion: 'v1',
        chainId: devnet.chainId,
        contracts: { quoteMarket, interestRatePool, bundler3, keeperBundler },
        deployBlock: 0,
        eip712Domain: quoteEip712Domain(domain),
        auction: { durationMs: auctionDurationMs, quotesPerBacker: 1 },
        limits,
      },
    })
    instances.push(instance)
    return instance
  }
  const service = startInstance({ ...(options.withStore && { withStore: options.withStore }) })
  if (options.resumed !== false) await service.hub.resume()
  if (options.synced !== false) await service.sync.cycle()
  return {
    ...service,
    clock,
    node,
    store,
    logs,
    startInstance,
    async close() {
      for (const { hub, sync, storage } of instances) {
        hub.stop()
        await sync.stop()
        storage.stop()
      }
      await bus.close()
      if (!options.store) await store.close()
      await node.close()
    },
  }
}

/** A signed quote that the devnet's service accepts, apart from the changes. */
export async function signedQuote(
  devnet: Devnet,
  maker: DevnetAccount,
  changes: Partial<QuoteMarketQuote> = {},
): Promise<SignedQuote> {
  return deserializeSignedQuote(await signQuote(maker, domainOf(devnet), createQuote(devnet, maker, changes)))
}

/** Sends a transaction to the quote market and waits for it. */
export async function sendToMarket(
  devnet: Devnet,
  from: DevnetAccount,
  call:
    | { functionName: 'cancelQuote'; quote: SignedQuote }
    | { functionName: 'raiseNonce' }
    | { functionName: 'takeQuote'; quote: SignedQuote },
): Promise<void> {
  const wallet = devnet.walletClient(from)
  const market = { address: devnet.contracts.quoteMarket, abi: quoteMarketAbi } as const
  const hash =
    call.functionName === 'raiseNonce'
      ? await wallet.writeContract({ ...market, functionName: 'raiseNonce' })
      : call.functionName === 'cancelQuote'
        ? await wallet.writeContract({ ...market, functionName: 'cancelQuote', args: [termsOf(call.quote)] })
        : await wallet.writeContract({
            ...market,
            functionName: 'takeQuote',
            args: [termsOf(call.quote), call.quote.signature, call.quote.vrtAmount],
          })
  await devnet.publicClient.waitForTransactionReceipt({ hash })
}

function termsOf({ signature: _, ...terms }: SignedQuote): QuoteMarketQuote {
  return terms
}

/** A backer's session that records its frames. */
export function recordingSession(address: BackerSession['address']) {
  const frames: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  const session: BackerSession = {
    address,
    send(frame) {
      frames.push(JSON.parse(frame) as Record<string, unknown>)
      for (const wake of [...waiting]) wake()
    },
  }
  /** The next frame of a type, also one that was received before; each is returned once. */
  const next = async (type: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const index = frames.findIndex((frame) => frame['type'] === type)
      const [found] = index < 0 ? [] : frames.splice(index, 1)
      if (found) return found
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake)
          resolve()
        }
        waiting.add(wake)
      })
    }
  }
  return { session, frames, next }
}

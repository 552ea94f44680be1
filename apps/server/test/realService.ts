import { randomBytes } from 'node:crypto'
import {
  deserializeSignedQuote,
  type QuoteDomain,
  type QuoteMarketQuote,
  quoteEip712Domain,
  type SignedQuote,
} from '@firmquote/core'
import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll } from '@jest/globals'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../src/adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../src/adapters/inProcessQuotas.ts'
import {
  createSignatureThreads,
  type SignatureThreads,
} from '../src/adapters/signatureThreads/createSignatureThreads.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createRpcClient, createViemChain } from '../src/adapters/viemChain/viemChain.ts'
import { createService } from '../src/app/createService.ts'
import type { ServiceDeps, ServiceLimits, SyncSettings } from '../src/app/serviceDeps.ts'
import { quoteRules } from '../src/domain/quoteRules.ts'
import { createPatientHealth } from './patientHealth.ts'
import { startRpcProxy } from './rpcProxy.ts'
import { createQuote, domainOf, signQuote } from './signedQuotes.ts'

export type RealService = Awaited<ReturnType<typeof startRealService>>

/** The devnet mines only when it receives a transaction, so its newest block may be old. */
const tenYears = 315_360_000

/** Limits that are too high for any test to reach. Tests override the limits they need. */
const limits: ServiceLimits = {
  ...{ bodyBytes: 16_384, rfqsPerMinute: 10_000, openRfqs: 1_000, storedQuotesPerMaker: 1_000, socketsPerBacker: 3 },
  ...{ ...quoteRules, dustLimits: new Map(), openAuctions: 1_000, runningJudgements: 1_000 },
}

/**
 * Returns the dependencies of a service on the devnet, except the store, the bus, the log and the signature threads.
 */
export function devnetDeps(
  devnet: Devnet,
  options: {
    clock: ServiceDeps['clock']
    client: ReturnType<typeof createRpcClient>
    limits?: Partial<ServiceLimits>
    sync?: Partial<SyncSettings>
    auctionDurationMs: number
    version: string
  },
) {
  const { clock, client, auctionDurationMs, version } = options
  const domain = domainOf(devnet)
  const { quoteMarket, interestRatePool, bundler3, keeperBundler } = devnet.contracts
  const given = { ...limits, ...options.limits }
  return {
    ...{ clock, domain, interestRatePool, auctionDurationMs, version, limits: given, random: randomBytes },
    chain: createViemChain({ client, quoteMarket, interestRatePool }),
    quotas: createInProcessQuotas(clock, given),
    presence: createInProcessPresence(given.socketsPerBacker),
    sync: {
      ...{ deployBlock: 0, intervalMs: 1_000, headDegradedSeconds: tenYears, headStaleSeconds: tenYears },
      ...options.sync,
    },
    config: {
      apiVersion: 'v1' as const,
      chainId: devnet.chainId,
      contracts: { quoteMarket, interestRatePool, bundler3, keeperBundler },
      deployBlock: 0,
      eip712Domain: quoteEip712Domain(domain),
      auction: { durationMs: auctionDurationMs, quotesPerBacker: 1 },
      limits: given,
    },
  }
}

/** Signature threads by domain. All services in a test file share these threads because they are slow to start. */
const signatureThreads = new Map<string, Promise<SignatureThreads>>()

/** Starts the signature threads for a domain, unless they are already running. */
export function signaturesOf(domain: QuoteDomain): Promise<SignatureThreads> {
  const key = JSON.stringify(domain)
  const threads = signatureThreads.get(key) ?? createSignatureThreads({ domain, threads: 1 })
  signatureThreads.set(key, threads)
  return threads
}

afterAll(async () => {
  for (const threads of signatureThreads.values()) await (await threads).close()
  signatureThreads.clear()
})

/** Starts the service with a real chain, a real store and a fake clock. `node` is the proxy in front of the chain. */
export async function startRealService(
  devnet: Devnet,
  options: {
    limits?: Partial<ServiceLimits>
    sync?: Partial<SyncSettings>
    synced?: false
    /** Timeout for node requests. On a busy machine, a real node takes seconds to answer. */
    rpcTimeoutMs?: number
    provenMakers?: ReadonlySet<string>
    debtAgeBlocks?: number
  } = {},
) {
  const { rpcTimeoutMs: timeoutMs = 10_000, synced, provenMakers, debtAgeBlocks = 0, ...given } = options
  const clock = createFakeClock()
  const node = await startRpcProxy(devnet.rpcUrl)
  const store = await createSqliteStore({ file: ':memory:' })
  const logs: { facts: Record<string, unknown>; message: string }[] = []
  const write = (facts: Record<string, unknown>, message: string) => void logs.push({ facts, message })
  const bus = createInProcessBus({ onError: (err) => write({ err }, 'failed to handle a message') })
  const client = createRpcClient({ rpcUrl: node.url, timeoutMs, health: createPatientHealth() })
  const service = createService({
    ...devnetDeps(devnet, { clock, client, auctionDurationMs: 15_000, version: '1.2.3', ...given }),
    signatures: await signaturesOf(domainOf(devnet)),
    store,
    bus,
    ...(provenMakers && { provenMakers }),
    debtAgeBlocks,
    log: { debug: write, info: write, warn: write, error: write },
  })
  await service.controls.start()
  await service.hub.resume()
  if (synced !== false) await service.sync.cycle()
  return {
    ...service,
    ...{ clock, node, store, logs },
    async close() {
      service.hub.stop()
      await service.sync.stop()
      service.storage.stop()
      await bus.close()
      await store.close()
      await node.close()
    },
  }
}

/** Creates a signed quote that the devnet's service accepts unless `changes` makes it invalid. */
export async function signedQuote(
  devnet: Devnet,
  maker: DevnetAccount,
  changes: Partial<QuoteMarketQuote> = {},
): Promise<SignedQuote> {
  return deserializeSignedQuote(await signQuote(maker, domainOf(devnet), createQuote(devnet, maker, changes)))
}

import { randomBytes } from 'node:crypto'
import { quoteEip712Domain, systemClock } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import pino from 'pino'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../src/adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../src/adapters/inProcessQuotas.ts'
import { createPromMetrics } from '../src/adapters/promMetrics.ts'
import { createSignatureThreads } from '../src/adapters/signatureThreads/createSignatureThreads.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createRpcClient, createViemChain } from '../src/adapters/viemChain/viemChain.ts'
import { createService } from '../src/app/createService.ts'
import { measureQuotas } from '../src/app/measureQuotas.ts'
import { measureService } from '../src/app/measureService.ts'
import { measureStore } from '../src/app/measureStore.ts'
import type { Service } from '../src/app/service.ts'
import type { ServiceDeps } from '../src/app/serviceDeps.ts'
import { quoteRules } from '../src/domain/quoteRules.ts'
import type { ServerOptions } from '../src/start/createDoors.ts'
import { type ListeningServer, listenForTest } from './listenForTest.ts'
import { domainOf } from './signedQuotes.ts'

/** The complete server on a real chain, with a database in memory. */
export type RealServer = ListeningServer & { service: Service }

/** How a complete server is started. */
export type RealServerOptions = Pick<ServerOptions, 'limits'> &
  Partial<Pick<ServerOptions, 'clock' | 'audience' | 'allowList'>> & {
    /** The node; by default the devnet. */
    rpcUrl?: string
    durationMs?: number
    openRfqs?: number
    rfqsPerMinute?: number
    storedQuotesPerMaker?: number
    /** How many days of floating rates are kept; by default none. */
    rateHistoryDays?: number
    /** Milliseconds between two polls of the node. */
    intervalMs?: number
    /** What it has together with other instances; left open. By default it is alone. */
    shared?: Pick<ServiceDeps, 'store' | 'bus'>
  }

/** Starts the complete server on a free port, by default with limits that no test reaches. */
export async function startRealServer(devnet: Devnet, options: Partial<RealServerOptions> = {}): Promise<RealServer> {
  const {
    durationMs = 1_000,
    clock = systemClock,
    intervalMs = 50,
    rateHistoryDays = 0,
    shared,
    ...overrides
  } = options
  const { openRfqs = 1_000, rfqsPerMinute = 10_000, storedQuotesPerMaker = 1_000, ...doors } = overrides
  const domain = domainOf(devnet)
  const { quoteMarket, interestRatePool, bundler3, keeperBundler } = devnet.contracts
  const limits = {
    bodyBytes: 16_384,
    rfqsPerMinute,
    openRfqs,
    storedQuotesPerMaker,
    socketsPerBacker: 3,
    ...quoteRules,
  }
  const logs: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line) => logs.push(JSON.parse(line)) })
  const store = shared?.store ?? (await createSqliteStore({ file: ':memory:' }))
  const bus = shared?.bus ?? createInProcessBus({ onError: (err) => log.error({ err }, 'a subscriber failed') })
  const metrics = createPromMetrics()
  const signatures = await createSignatureThreads({ domain, threads: 1 })
  const client = createRpcClient({ rpcUrl: options.rpcUrl ?? devnet.rpcUrl, onFailure: metrics.rpcFailed })
  const allLimits = { ...limits, dustLimits: new Map(), openAuctions: 1_000, runningJudgements: 1_000 }
  const unmeasured = createService({
    clock,
    chain: createViemChain({ client, quoteMarket, interestRatePool }),
    signatures,
    store: measureStore(store, { metrics, clock }),
    isShared: shared !== undefined,
    bus,
    quotas: measureQuotas(createInProcessQuotas(clock, allLimits), metrics),
    presence: createInProcessPresence(limits.socketsPerBacker),
    random: randomBytes,
    domain,
    interestRatePool,
    limits: allLimits,
    // The devnet mines on transactions only, so its newest block may be old.
    sync: {
      deployBlock: 0,
      intervalMs,
      headDegradedSeconds: 315_360_000,
      headStaleSeconds: 315_360_000,
    },
    auctionDurationMs: durationMs,
    rateHistoryDays,
    observe: metrics,
    log,
    version: '0.0.0',
    config: {
      apiVersion: 'v1',
      chainId: devnet.chainId,
      contracts: { quoteMarket, interestRatePool, bundler3, keeperBundler },
      deployBlock: 0,
      eip712Domain: quoteEip712Domain(domain),
      auction: { durationMs, quotesPerBacker: 1 },
      limits,
    },
  })
  const service = measureService(unmeasured, { metrics, clock })
  await service.hub.resume()
  await service.sync.cycle()
  service.sync.start()
  const server = await listenForTest({ service, domain, signatures, clock, log, metrics, ...doors })
  return {
    ...server,
    service,
    logs,
    async close() {
      await server.close()
      await service.sync.stop()
      service.storage.stop()
      await signatures.close()
      if (shared) return
      await bus.close()
      await store.close()
    },
  }
}

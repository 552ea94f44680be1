import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type QuoteDomain, quoteEip712Domain, type ServiceConfig } from '@firmquote/core'
import { signingTypes } from '@firmquote/core/protocol'
import { type Clock, systemClock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import {
  countDescriptors,
  readDescriptorLimit,
  requireDescriptors,
  watchDescriptors,
} from '../adapters/fileDescriptors.ts'
import { postCheckpoint } from '../adapters/postCheckpoint.ts'
import { createPromMetrics } from '../adapters/promMetrics.ts'
import { createSignatureThreads } from '../adapters/signatureThreads/createSignatureThreads.ts'
import { tracePorts } from '../adapters/tracePorts.ts'
import { createNodeRelay } from '../adapters/viemChain/nodeRelay.ts'
import { watchHeap } from '../adapters/watchHeap.ts'
import { watchThreads } from '../adapters/watchThreads.ts'
import type { Sync } from '../app/chain/sync.ts'
import type { AdminMethods } from '../app/control/adminMethods.ts'
import { createStatusMethods } from '../app/control/adminStatus.ts'
import type { LiveLimits } from '../app/control/liveLimits.ts'
import { createService } from '../app/createService.ts'
import { measureQuotas, measureService, measureStore } from '../app/measure.ts'
import { startHttpWitnesses } from '../app/proofs/httpWitnesses.ts'
import type { ServiceLimits } from '../app/serviceDeps.ts'
import { traceService } from '../app/traceService.ts'
import { proofsPerRfq } from '../domain/quotas.ts'
import { quoteRules } from '../domain/quoteRules.ts'
import type { Store } from '../ports/store.ts'
import type { Configuration } from './configuration.ts'
import {
  createFirmquoteServer as createDefaultServer,
  type FirmquoteServer,
  type ServerOptions,
} from './createFirmquoteServer.ts'
import { createLiveLimits } from './liveLimits.ts'
import { type AdminSocket, openAdminSocket } from './openAdminSocket.ts'
import { openChain } from './openChain.ts'
import { openProofs } from './openProofs.ts'
import { openStorage } from './openStorage.ts'
import { openTracing } from './openTracing.ts'

/** Handle to a running server. */
export type RunningServer = {
  /** Its URL on this machine. */
  url: string
  /** Path of the admin socket; null if there is none. */
  adminSocket: string | null
  /** The operator's commands. */
  admin: AdminMethods
  /** Shuts down gracefully. Later calls return the same promise. */
  stop(): Promise<void>
}

/** Options of {@link startServer}. */
export type StartOptions = {
  log: Logger
  version: string
  /** Commit that the server was built from. Default: `unknown`. */
  commit?: string
  /** Default: the system clock. Tests pass a clock with the wrong time. */
  clock?: Clock
  /**
   * Creates the entry points. The benchmark passes a bare HTTP server instead, to measure the cost of the entry points.
   */
  createFirmquoteServer?: (options: ServerOptions) => FirmquoteServer
}

const bodyBytes = 16_384
const rateHistoryDays = 400
const firstSyncMs = 5_000
const integrityPauseMs = 20
/** Milliseconds reserved, after auctions have ended, for closing connections and flushing writes. */
const closeReserveMs = 3_000

/**
 * Checks the chain, opens the database and starts the server.
 *
 * @throws {ConfigurationError} if startup fails. `shortMessage` says what to change, and nothing is left running.
 */
export async function startServer(
  configuration: Configuration,
  {
    log,
    version,
    commit = 'unknown',
    clock: machineClock = systemClock,
    createFirmquoteServer = createDefaultServer,
  }: StartOptions,
): Promise<RunningServer> {
  const domain: QuoteDomain = { chainId: configuration.CHAIN_ID, quoteMarket: configuration.QUOTE_MARKET }
  const interestRatePool = configuration.INTEREST_RATE_POOL
  const descriptorLimit = readDescriptorLimit()
  requireDescriptors(descriptorLimit, configuration.MAX_CONNECTIONS)
  const threads = watchThreads()
  const config = serviceConfig(configuration, domain)
  const limits: ServiceLimits = {
    ...config.limits,
    dustLimits: configuration.DUST_LIMITS ?? new Map(),
    runningJudgements: configuration.RUNNING_JUDGEMENTS,
  }
  const liveLimits = createLiveLimits(configuration, { published: config.limits, service: limits })
  const metrics = createPromMetrics({
    build: { version, commit },
    limits: () => exportedLimits(configuration, liveLimits),
    threads: threads.figures,
    descriptors: () => countDescriptors(descriptorLimit),
  })
  const isShared = configuration.DATABASE_URL !== null
  const { chain, genesisHash, ...nodes } = await openChain(configuration, { domain, clock: machineClock, log, metrics })
  const { DEVNET_RELAY: hasRelay, DEMO_ACCOUNT: demoAccount, DEMO_SMART_ACCOUNT: demoSmartAccount } = configuration
  const tracing = await openTracing(configuration, { log, version })
  const identity = { ...domain, genesisHash }
  const storage = await openStorage(configuration, {
    ...{ identity, domain, limits: config.limits },
    ...{ clock: machineClock, log, metrics },
  })
  const { clock, bus, quotas, presence } = storage
  const recovery = await createSignatureThreads({
    domain,
    threads: configuration.SIGNATURE_THREADS ?? Math.max(1, availableParallelism() - 1),
  })
  const plain = { chain, store: measureStore(storage.store, { metrics, clock }), signatures: recovery }
  const ports = tracing ? tracePorts(plain, tracing, isShared ? 'postgresql' : 'sqlite') : plain
  const { store, signatures } = ports
  const descriptors = watchDescriptors({ clock: machineClock, log, limit: descriptorLimit })
  const stopWatchingHeap = watchHeap({ clock: machineClock, log }, threads.figures)
  let stopService = async () => {}
  let httpWitnesses: { stop(): void } | undefined
  let adminSocket: AdminSocket | undefined
  let url: string | null = null
  const stopAdapters = async () => {
    await adminSocket?.close()
    await stopService()
    nodes.stop()
    await recovery.close()
    await storage.close()
    await tracing?.close()
    threads.stop()
    descriptors.stop()
    stopWatchingHeap()
  }
  try {
    const proofs = await openProofs(configuration, { store: store.proofs, clock, log })
    const unmeasured = createService({
      ...(proofs && { proofs }),
      clock,
      ...ports,
      ...(tracing && { tracing }),
      node: nodes.node,
      isShared,
      bus,
      quotas: measureQuotas(quotas, metrics),
      presence,
      random: randomBytes,
      domain,
      interestRatePool,
      limits,
      liveLimits,
      ...(configuration.API_KEYS && { integrators: configuration.API_KEYS }),
      sync: {
        deployBlock: configuration.DEPLOY_BLOCK,
        intervalMs: configuration.SYNC_INTERVAL_MS,
        headDegradedSeconds: configuration.HEAD_DEGRADED_SECONDS,
        headStaleSeconds: configuration.HEAD_STALE_SECONDS,
      },
      debtAgeBlocks: configuration.DEBT_AGE_BLOCKS,
      auctionDurationMs: configuration.AUCTION_DURATION_MS,
      rateHistoryDays,
      ...(configuration.BACKER_ALLOW_LIST && { allowList: configuration.BACKER_ALLOW_LIST }),
      ...(configuration.PROVEN_MAKERS && { provenMakers: configuration.PROVEN_MAKERS }),
      observe: metrics,
      log,
      config,
      version,
    })
    const measured = measureService(unmeasured, { metrics, clock })
    const service = tracing ? traceService(measured, tracing) : measured
    stopService = async () => {
      httpWitnesses?.stop()
      await service.proofs?.log.stop()
      service.controls.stop()
      service.hub.stop()
      service.storage.stop()
    }
    // Opened first, so that operators can see why a start takes long.
    adminSocket = await openAdminSocket(configuration, {
      methods: {
        ...service.admin,
        ...createStatusMethods({ service, clock, isShared, url: () => url }),
      },
      log,
    })
    const { PUBLIC_WS_URL: audience, BACKER_ALLOW_LIST: allowList } = configuration
    const server = createFirmquoteServer({
      service,
      isShared,
      domain,
      signatures,
      clock,
      random: randomBytes,
      log,
      metrics,
      ...(tracing && { tracing }),
      ...(audience === null ? {} : { audience }),
      ...(allowList === null ? {} : { allowList }),
      limits: {
        connections: configuration.MAX_CONNECTIONS,
        connectionsPerNetwork: configuration.CONNECTIONS_PER_NETWORK,
        readsPerMinute: configuration.READS_PER_MINUTE,
        sockets: configuration.MAX_SOCKETS,
        pendingSockets: configuration.PENDING_SOCKETS,
        pendingSocketsPerNetwork: configuration.PENDING_SOCKETS_PER_NETWORK,
        drainMs: Math.max(0, configuration.SHUTDOWN_TIMEOUT_MS - closeReserveMs),
      },
      trustProxy: configuration.TRUST_PROXY,
      outOfDescriptors: descriptors.isExhausted,
      ...(hasRelay && { devnet: { relay: createNodeRelay(configuration.RPC_URL[0]), demoAccount, demoSmartAccount } }),
      ...(configuration.WALLETCONNECT_PROJECT_ID && { walletConnectProject: configuration.WALLETCONNECT_PROJECT_ID }),
      ...(configuration.EXPLORER_URL && { explorer: configuration.EXPLORER_URL }),
    })
    await service.controls.start()
    if (service.proofs) {
      const { log: proofLog, witnesses } = service.proofs
      await proofLog.start()
      const deps = { witnesses, post: postCheckpoint, logger: log }
      httpWitnesses = await startHttpWitnesses(configuration.WITNESSES ?? [], deps)
    }
    // Resumes auctions before clients connect: open auctions may be due, and their backers and borrowers expect to find
    // them.
    await service.hub.resume()
    const { port } = await server.listen({ port: configuration.PORT, host: configuration.HOST })
    const listening = `http://${reachable(configuration.HOST)}:${port}`
    url = listening
    service.sync.start()
    await waitForFirstSync(service.sync, clock)
    await waitForIntegrity(store, clock)

    let stopping: Promise<void> | undefined
    return {
      url: listening,
      adminSocket: adminSocket.path,
      admin: service.admin,
      stop() {
        stopping ??= server
          .close()
          .then(() => service.sync.stop())
          .then(stopAdapters)
        return stopping
      },
    }
  } catch (error) {
    await stopAdapters()
    throw error
  }
}

/**
 * Waits up to 5 seconds for the first sync, so that the first RFQ finds its series. If the sync takes longer, the
 * server refuses RFQs until it completes.
 */
async function waitForFirstSync(sync: Sync, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(firstSyncMs, resolve)
    const end = () => {
      cancel()
      resolve()
    }
    sync.cycle().then(end, end)
  })
}

/**
 * Waits up to 5 seconds for the database's integrity check, so that the server accepts the first RFQ. If the check
 * takes longer, the server refuses RFQs until it completes.
 */
async function waitForIntegrity(store: Pick<Store, 'integrity'>, clock: Clock): Promise<void> {
  const end = clock.monotonic() + firstSyncMs
  while (store.integrity() === 'checking' && clock.monotonic() < end) {
    await new Promise<void>((resolve) => clock.after(integrityPauseMs, resolve))
  }
}

function exportedLimits(configuration: Configuration, liveLimits: LiveLimits) {
  const { MAX_SOCKETS, HEAD_STALE_SECONDS, READS_PER_MINUTE } = configuration
  const live = liveLimits.list().map(({ name, value }) => [name, value])
  return { MAX_SOCKETS, HEAD_STALE_SECONDS, READS_PER_MINUTE, ...Object.fromEntries(live) }
}

function serviceConfig(configuration: Configuration, domain: QuoteDomain) {
  return {
    apiVersion: 'v1',
    chainId: domain.chainId,
    contracts: {
      quoteMarket: configuration.QUOTE_MARKET,
      interestRatePool: configuration.INTEREST_RATE_POOL,
      bundler3: configuration.BUNDLER3,
      keeperBundler: configuration.KEEPER_BUNDLER,
    },
    deployBlock: configuration.DEPLOY_BLOCK,
    eip712Domain: quoteEip712Domain(domain),
    signing: signingTypes(domain),
    auction: { durationMs: configuration.AUCTION_DURATION_MS, quotesPerBacker: 1 },
    limits: {
      bodyBytes,
      rfqsPerMinute: configuration.RFQS_PER_MINUTE,
      openRfqs: configuration.OPEN_RFQS,
      openAuctions: configuration.OPEN_AUCTIONS,
      takerProofsPerMinute: configuration.RFQS_PER_MINUTE * proofsPerRfq,
      storedQuotesPerMaker: configuration.STORED_QUOTES_PER_MAKER,
      socketsPerBacker: configuration.SOCKETS_PER_BACKER,
      maxSockets: configuration.MAX_SOCKETS,
      pendingSockets: configuration.PENDING_SOCKETS,
      pendingSocketsPerNetwork: configuration.PENDING_SOCKETS_PER_NETWORK,
      ...quoteRules,
    },
  } satisfies ServiceConfig
}

function reachable(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

import { randomBytes } from 'node:crypto'
import type { QuoteDomain } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { createInProcessBus } from '../adapters/inProcessBus.ts'
import { createInProcessPresence } from '../adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../adapters/inProcessQuotas.ts'
import { openOwnedStore } from '../adapters/sqliteStore/openOwnedStore.ts'
import type { RequestLimits } from '../domain/quotas.ts'
import type { Bus } from '../ports/bus.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Presence } from '../ports/presence.ts'
import type { Quotas } from '../ports/quotas.ts'
import type { ServiceClock } from '../ports/referenceClock.ts'
import type { Store } from '../ports/store.ts'
import type { Configuration } from './configuration.ts'
import { createMachineReference, createSteadyClock } from './steadyClock.ts'

/** Storage adapters, either for one process or shared by several instances. */
export type Storage = {
  /** The clock for stored times. */
  clock: ServiceClock
  store: Store
  bus: Bus
  quotas: Quotas
  presence: Presence
  close(): Promise<void>
}

/** Options of {@link openStorage}. */
export type StorageOptions = {
  identity: Parameters<Store['claim']>[0]
  domain: QuoteDomain
  limits: RequestLimits & { socketsPerBacker: number }
  clock: Clock
  log: Logger
  metrics: Metrics
}

type Parts = Omit<Storage, 'close'>

/**
 * Opens the configured storage: a SQLite database in `DATA_DIR` for this process alone, or the PostgreSQL database at
 * `DATABASE_URL`. Instances that share it announce changes through the NATS server at `NATS_URL`.
 *
 * @throws {ConfigurationError} if the storage cannot be opened. `shortMessage` says what to change, and nothing is left
 * open.
 */
export async function openStorage(configuration: Configuration, options: StorageOptions): Promise<Storage> {
  // Closed in reverse order.
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  try {
    const open = configuration.DATABASE_URL === null ? openOwn : openShared
    return { ...(await open(configuration, options, (closeOne) => closers.push(closeOne))), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Opening = (
  configuration: Configuration,
  options: StorageOptions,
  opened: (close: () => Promise<void>) => void,
) => Promise<Parts>

const openOwn: Opening = async (configuration, { identity, limits, clock: machineClock, log, metrics }, opened) => {
  const store = await openOwnedStore(configuration.DATA_DIR, { log, retention: retentionOf(configuration) })
  opened(store.close)
  const bus = createInProcessBus({ onError: (err) => log.error({ err }, undeliverable) })
  opened(bus.close)
  await store.claim(identity)
  const isAuctionOpen = async () => (await store.listOpenAuctions()).length > 0
  const reference = createMachineReference(machineClock, isAuctionOpen, (await store.proofs?.findLog())?.seenAt)
  const { clock, stop } = await createSteadyClock(machineClock, { reference, log, stepped: metrics.clockStepped })
  opened(async () => stop())
  return {
    clock,
    store,
    bus,
    quotas: createInProcessQuotas(clock, limits),
    presence: createInProcessPresence(limits.socketsPerBacker),
  }
}

const openShared: Opening = async (configuration, options, opened) => {
  const { identity, domain, limits, log, metrics } = options
  const url = configuration.DATABASE_URL ?? ''
  // Imported on demand, so that servers on SQLite do not load it.
  const shared = await import('./sharedAdapters.ts')
  const store = await shared.createPostgresStore({
    ...{ url, clock: options.clock, log },
    retention: retentionOf(configuration),
    allowAsyncReplicas: configuration.DATABASE_ASYNC_REPLICAS,
  })
  opened(store.close)
  await store.claim(identity)
  await shared.checkComplete(store.pool.query, url)
  const { reference } = store
  const { clock, stop } = await createSteadyClock(options.clock, { reference, log, stepped: metrics.clockStepped })
  opened(async () => stop())
  const quotas = await shared.createPostgresQuotas(store.pool, { clock, limits })
  const presence = await shared.createPostgresPresence(store.pool, {
    ...{ clock, log },
    socketsPerBacker: limits.socketsPerBacker,
  })
  opened(presence.close)
  const onError = (err: unknown) => log.error({ err }, undeliverable)
  if (configuration.NATS_URL === null) {
    log.warn('NATS_URL is not set; instances poll the database for changes')
    const bus = createInProcessBus({ onError })
    opened(bus.close)
    return { clock, store, bus, quotas, presence }
  }
  const bus = await shared.createNatsBus({
    ...{ url: configuration.NATS_URL, key: await store.hintKey(), domain, clock, log, onError },
    ...{ random: randomBytes, observe: metrics },
  })
  opened(bus.close)
  return { clock, store, bus, quotas, presence }
}

const undeliverable = 'failed to handle a message'

function retentionOf({ RETENTION_DAYS: days, RETENTION_QUOTES: auctionQuotes }: Configuration) {
  return { milliseconds: days * 86_400_000, auctionQuotes }
}

import type { Service } from '../../../apps/server/src/app/service.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import type { Quotas } from '../../../apps/server/src/ports/quotas.ts'
import type { Store, ToldStatus } from '../../../apps/server/src/ports/store.ts'
import type { SimDatabase } from './simDatabase.ts'

/** Bugs that the simulated ports can have, so that a test can ask whether the oracle finds them. None is on by default. */
export const defects = [
  'late accept',
  'early close',
  'double close',
  'close drops a quote',
  'interruption not recorded',
  'reused sequence number',
  'two quotes of a maker',
  'arrivals lost',
  'key not unique',
  'key not found',
  'lost fsync',
  'acknowledged before the commit',
  'unknown outcome told as a failure',
  'auction not resumed',
  'rows without a hint not read',
  'open auction observed',
  'cursor without compare-and-set',
  'lease held by two',
  'lease never ends',
  'status out of order',
  'status number reused',
  'reversal not told',
  'final too early',
  'quota not shared',
  'place not released',
  'backers counted twice',
  'old state taken as new',
  'every quote executable',
  'bloom filter empty',
  'forged signature accepted',
  'overload told as the chain',
  'monotonic clock jumps',
  'promises forgotten',
  'maker not compared',
  'event lost',
  'body of a key not compared',
  'drained at once',
  'best before the close',
  'clients not sent elsewhere',
  'stale chain not told',
] as const

/** One of {@link defects}. */
export type Defect = (typeof defects)[number]

/** Whether a defect is on. */
export type HasDefect = (defect: Defect) => boolean

/** A port or service with other methods for the defects that are on. */
function withDefects<Port extends object>(
  port: Port,
  has: HasDefect,
  methods: Partial<Record<Defect, Partial<Port>>>,
): Port {
  const broken = Object.entries(methods).filter(([defect]) => has(defect as Defect))
  return Object.assign({}, port, ...broken.map(([, method]) => method))
}

/** The database with its defects. An outcome may be made up: a history ends when the oracle finds it. */
export function withDatabaseDefects(database: SimDatabase, has: HasDefect): SimDatabase {
  const synced = () => database.findSyncPosition().cursor
  const statusesAs = (change: (status: ToldStatus) => ToldStatus) => ({
    listStatuses: (...given: Parameters<SimDatabase['listStatuses']>) => {
      const page = database.listStatuses(...given)
      return { ...page, statuses: page.statuses.map(change) }
    },
  })
  return withDefects(database, has, {
    'late accept': { acceptQuote: (quote) => database.acceptQuote(quote, 0) },
    'early close': {
      closeAuction(close) {
        const { closesAt } = database.findAuction(close)?.rfq ?? { closesAt: 0 }
        const outcome = database.closeAuction({ ...close, at: Math.max(close.at, closesAt) })
        if (outcome?.closedNow && outcome.auction.close) outcome.auction.close.closedAt = close.at
        return outcome
      },
    },
    'double close': {
      closeAuction(close) {
        const outcome = database.closeAuction(close)
        return outcome && { ...outcome, closedNow: true }
      },
    },
    'close drops a quote': {
      closeAuction(close) {
        const outcome = database.closeAuction(close)
        return outcome && { ...outcome, auction: { ...outcome.auction, quotes: outcome.auction.quotes.slice(0, -1) } }
      },
    },
    'interruption not recorded': {
      closeAuction: (close) => database.closeAuction({ ...close, interrupted: false }),
    },
    'reused sequence number': {
      acceptQuote(...given) {
        const outcome = database.acceptQuote(...given)
        return outcome.status === 'accepted' ? { ...outcome, seq: outcome.seq - 1 } : outcome
      },
    },
    'two quotes of a maker': {
      acceptQuote(quote, at) {
        const outcome = database.acceptQuote(quote, at)
        if (outcome.status !== 'quoted') return outcome
        const seq = (database.findAuction(quote)?.quotes.length ?? 0) + 1
        return { status: 'accepted', seq, receivedAt: quote.receivedAt }
      },
    },
    'arrivals lost': {
      acceptQuote: (quote, at) => database.acceptQuote({ ...quote, arrival: -quote.arrival }, at),
    },
    'key not unique': { openAuction: (auction) => database.openAuction({ ...auction, key: null }) },
    'key not found': { findAuctionByKey: () => null },
    'auction not resumed': { listOpenAuctions: () => [] },
    'rows without a hint not read': {
      listOpenAuctions: () => database.listOpenAuctions().map((auction) => ({ ...auction, lastSeq: 0 })),
    },
    'open auction observed': {
      listObservations: () =>
        database.listOpenAuctions().flatMap(({ publicRfqId }) => {
          const { rfq: { expiry } = { expiry: 0 }, quotes = [] } = database.findAuction({ publicRfqId }) ?? {}
          return quotes.map(({ receivedAt: observedAt, ...quote }) => ({ ...quote, publicRfqId, expiry, observedAt }))
        }),
    },
    'cursor without compare-and-set': {
      applyBlocks: (update) => database.applyBlocks({ ...update, after: synced() }),
      rollBack: (undoing) => database.rollBack({ ...undoing, from: synced() }),
    },
    'lease held by two': { holdLease: () => true },
    'status out of order': {
      listStatuses(...given) {
        const page = database.listStatuses(...given)
        return { ...page, statuses: page.statuses.toReversed() }
      },
    },
    'status number reused': statusesAs((status) => ({ ...status, seq: Math.max(1, status.seq - 1) })),
    'reversal not told': statusesAs((one) => (one.status === 'active' ? { ...one, status: 'cancelled' } : one)),
    'final too early': statusesAs((status) => ({ ...status, final: true })),
  })
}

/** The store with the defects of its client. */
export function withStoreDefects(store: Store, has: HasDefect): Store {
  return withDefects(store, has, {
    'acknowledged before the commit': {
      async acceptQuote(quote, at) {
        store.acceptQuote(quote, at).catch(() => {})
        const { quotes = [] } = (await store.findAuction(quote)) ?? {}
        return { status: 'accepted', seq: quotes.length + 1, receivedAt: quote.receivedAt }
      },
    },
    'unknown outcome told as a failure': {
      acceptQuote: (quote, at) =>
        store.acceptQuote(quote, at).catch((error) => {
          throw error instanceof OutcomeUnknownError ? new StorageUnavailableError('It was not written.') : error
        }),
    },
  })
}

/** Quotas whose places stay taken, if that defect is on. */
export function withQuotaDefects(quotas: Quotas, has: HasDefect): Quotas {
  return withDefects(quotas, has, {
    'place not released': {
      async admit(asked, keptMs) {
        const admitted = await quotas.admit(asked, keptMs)
        return admitted.ok ? { ...admitted, place: { ...admitted.place, release: () => {} } } : admitted
      },
    },
  })
}

/** A service with the defects that no port can have. */
export function withServiceDefects(service: Service, has: HasDefect): Service {
  const { hub } = service
  const bodies = new Map<string, Parameters<typeof hub.open>[0]>()
  const broken = withDefects(hub, has, {
    'body of a key not compared': {
      open(request, requester) {
        const { key } = requester
        if (key !== undefined && !bodies.has(key)) bodies.set(key, request)
        return hub.open(bodies.get(key ?? '') ?? request, requester)
      },
    },
    'best before the close': {
      async find(rfqId) {
        const result = await hub.find(rfqId)
        return result?.status === 'open' ? { ...result, best: { hashes: [], notional: 0n, cost: 0n } } : result
      },
    },
    'event lost': {
      async follow(rfqId) {
        const followed = await hub.follow(rfqId)
        return (
          followed && {
            ...followed,
            listen: (to, after) =>
              followed.listen({ ...to, event: (event) => event.type !== 'quote' && to.event(event) }, after),
          }
        )
      },
    },
    'maker not compared': { submit: (given) => hub.submit({ ...given, backer: given.quote.maker }) },
    'drained at once': { drain: () => Promise.resolve() },
  })
  return { ...service, hub: broken }
}

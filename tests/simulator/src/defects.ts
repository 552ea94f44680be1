import { toPublicRfqId } from '@firmquote/core'
import { type Hex, numberToHex, zeroHash } from 'viem'
import type { Service } from '../../../apps/server/src/app/service.ts'
import type { Count, RequestedSlot } from '../../../apps/server/src/domain/quotas.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import type { Quotas } from '../../../apps/server/src/ports/quotas.ts'
import type { StatusUpdateRecord, Store } from '../../../apps/server/src/ports/store.ts'
import type { SimDatabase } from './simDatabase.ts'

/**
 * A deliberate bug that a test enables to check that the oracle detects it. Defects are implemented below and in the
 * simulated ports.
 */
export type Defect =
  | keyof ReturnType<typeof databaseDefects>
  | keyof ReturnType<typeof storeDefects>
  | keyof ReturnType<typeof quotaDefects>
  | keyof ReturnType<typeof hubDefects>
  | keyof ReturnType<typeof syncDefects>
  | (
      | 'lost fsync'
      | 'log restored from a backup'
      | 'quota not shared'
      | 'backers counted twice'
      | 'old state taken as new'
    )
  | (
      | 'every quote executable'
      | 'bloom filter empty'
      | 'forged signature accepted'
      | 'overload reported as chain failure'
    )
  | ('any proof accepted' | 'older debts not read')
  | ('monotonic clock jumps' | 'time goes back' | 'promises forgotten' | 'clients not sent elsewhere')

/** Whether a defect is enabled. */
export type HasDefect = (defect: Defect) => boolean

/** Overrides a port's methods with the enabled defects'. */
export function withDefects<Port extends object>(
  port: Port,
  has: HasDefect,
  defects: (port: Port) => { [Name in Defect]?: Partial<Port> },
): Port {
  const methods = Object.entries(defects(port)).filter(([defect]) => has(defect as Defect))
  return Object.assign({}, port, ...methods.map(([, method]) => method))
}

/** Wraps a service with defects that cannot be implemented in a port. */
export function withServiceDefects(service: Service, has: HasDefect): Service {
  const { hub, sync } = service
  return { ...service, hub: withDefects(hub, has, hubDefects), sync: withDefects(sync, has, syncDefects) }
}

/** Database defects. Inventing an outcome is acceptable, since the history ends when the oracle detects it. */
export function databaseDefects(database: SimDatabase) {
  const synced = () => database.findSyncPosition().cursor
  let holder: string | null = null
  const statusesAs = (change: (status: StatusUpdateRecord) => StatusUpdateRecord) => ({
    listStatuses: (...given: Parameters<SimDatabase['listStatuses']>) => {
      const page = database.listStatuses(...given)
      return { ...page, statuses: page.statuses.map(change) }
    },
  })
  return {
    'late accept': { acceptQuote: (quote) => database.acceptQuote(quote, 0) },
    'early close': {
      // An instance that misses an open auction asks for its close.
      listOpenAuctions: () => [],
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
    'lease never ends': {
      holdLease(asker, ...rest) {
        holder ??= asker
        return asker === holder && database.holdLease(asker, ...rest)
      },
    },
    'status out of order': {
      listStatuses(...given) {
        const page = database.listStatuses(...given)
        return { ...page, statuses: page.statuses.toReversed() }
      },
    },
    'status number reused': statusesAs((status) => ({ ...status, seq: Math.max(1, status.seq - 1) })),
    'reversal not sent': statusesAs((one) => (one.status === 'active' ? { ...one, status: 'cancelled' } : one)),
    'one published quote too many': {
      countQuotes: (...given) => Math.max(0, database.countQuotes(...given) - 1),
      insertQuote: (quote, limit) => database.insertQuote(quote, limit && { ...limit, most: limit.most + 1 }),
    },
    'checkpoints do not wait': { proofs: { ...database.proofs, findOldestEnd: () => null } },
    'receipt with another leaf': {
      acceptQuote(quote, at) {
        const outcome = database.acceptQuote(quote, at)
        return outcome.status === 'accepted' && outcome.leaf ? { ...outcome, leaf: zeroHash } : outcome
      },
    },
    'event receipt with another secret': {
      proofs: {
        ...database.proofs,
        findProof(id) {
          const found = database.proofs.findProof(id)
          return found && 'rfqId' in id ? { ...found, secret: asNobody(0) } : found
        },
      },
    },
    'close logged twice': {
      closeAuction(close) {
        const outcome = database.closeAuction(close)
        const newest = database.proofs.listEntries(1, 0, Number.MAX_SAFE_INTEGER).at(-1)
        if (outcome?.closedNow && newest) database.appendEntry(newest)
        return outcome
      },
    },
    'close not logged': {
      closeAuction(close) {
        const outcome = database.closeAuction(close)
        if (outcome?.closedNow) database.dropNewestEntry()
        return outcome
      },
    },
    'final too early': statusesAs((status) => ({ ...status, final: true })),
  } satisfies Record<string, Partial<SimDatabase>>
}

/** Database client defects. */
export function storeDefects(store: Store) {
  return {
    'acknowledged before the commit': {
      async acceptQuote(quote, at) {
        store.acceptQuote(quote, at).catch(() => {})
        const { quotes = [] } = (await store.findAuction(quote)) ?? {}
        return { status: 'accepted', seq: quotes.length + 1, receivedAt: quote.receivedAt }
      },
    },
    'unknown outcome reported as failure': {
      acceptQuote: (quote, at) =>
        store.acceptQuote(quote, at).catch((error) => {
          throw error instanceof OutcomeUnknownError ? new StorageUnavailableError('The write failed.') : error
        }),
    },
  } satisfies Record<string, Partial<Store>>
}

/** A 32-byte id that belongs to nobody. */
function asNobody(number: number): Hex {
  return numberToHex(number, { size: 32 })
}

/** Quota defects. */
export function quotaDefects(quotas: Quotas) {
  let free = 0
  /** Changes requests before the quotas see them. */
  const admitAs = (change: (asked: RequestedSlot) => RequestedSlot): Pick<Quotas, 'admit'> => ({
    admit: (asked, keptMs) => quotas.admit(change(asked), keptMs),
  })
  const withCounts = (change: (count: Count) => Count) =>
    admitAs(({ counts, taker }) => ({
      counts: counts.map(change),
      taker: taker && { ...taker, counts: taker.counts.map(change) },
    }))
  return {
    'no slots reserved for verified takers': {
      async admit(asked, keptMs) {
        free += 1
        // A debt covers the RFQ, so the quotas treat it as verified.
        const { counts } = asked
        const debt = { taker: asNobody(free), poolId: asNobody(0), debt: 0n, fixed: 0n, taken: new Map() }
        const taker = { rfqId: toPublicRfqId(String(free).padStart(32, '0')), debt, notional: 0n, counts }
        const admitted = await quotas.admit(asked.taker ? asked : { counts, taker }, keptMs)
        return admitted.ok && !asked.taker ? { ...admitted, slot: { ...admitted.slot, verified: false } } : admitted
      },
    },
    'verified RFQs counted by network': admitAs(({ counts, taker }) => ({
      counts,
      taker: taker && { ...taker, counts },
    })),
    'one open RFQ too many': withCounts(({ key, limits }) => ({
      key,
      limits: { ...limits, openRfqs: limits.openRfqs + 1 },
    })),
    'RFQs per minute not limited': withCounts(({ key, limits }) => ({
      key,
      limits: { ...limits, rfqsPerMinute: Number.POSITIVE_INFINITY },
    })),
    'debt counted twice': admitAs(({ counts, taker }) => ({
      counts,
      taker: taker && { ...taker, debt: { ...taker.debt, debt: 2n * taker.debt.debt } },
    })),
    'proofs not limited': { spendProof: async () => null },
    'abandoned auctions not limited': {
      async admit(asked, keptMs) {
        const admitted = await quotas.admit(asked, keptMs)
        if (!admitted.ok) return admitted
        const { slot } = admitted
        const abandon = async () => {
          slot.release()
          return true
        }
        return { ok: true, slot: { ...slot, abandon } }
      },
    },
    'slot not released': {
      async admit(asked, keptMs) {
        const admitted = await quotas.admit(asked, keptMs)
        return admitted.ok ? { ...admitted, slot: { ...admitted.slot, release: () => {} } } : admitted
      },
    },
  } satisfies Record<string, Partial<Quotas>>
}

function syncDefects(sync: Service['sync']) {
  return {
    'stale chain not reported': { status: () => ({ ...sync.status(), state: 'ok' }) },
  } satisfies Record<string, Partial<Service['sync']>>
}

function hubDefects(hub: Service['hub']) {
  const bodies = new Map<string, Parameters<typeof hub.open>[0]>()
  return {
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
        if (!followed) return null
        const { listen } = followed
        return {
          ...followed,
          listen: (to, after) => listen({ ...to, event: (event) => event.type !== 'quote' && to.event(event) }, after),
        }
      },
    },
    'a name is a proof': {
      open(request, requester) {
        const { taker, takerProof } = request
        const address = taker && !takerProof ? `taker ${taker.toLowerCase()}` : requester.address
        return hub.open(request, { ...requester, address })
      },
    },
    'maker not compared': { submit: (given) => hub.submit({ ...given, backer: given.quote.maker }) },
    'drained at once': { drain: () => Promise.resolve() },
  } satisfies Record<string, Partial<Service['hub']>>
}

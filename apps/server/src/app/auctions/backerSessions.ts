import type { Clock, PublicRfqId, RFQBroadcast } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { Address } from 'viem'
import type { AuctionOutcome } from '../../domain/auctionOutcome.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Presence } from '../../ports/presence.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { MakerFunds } from '../makers/makerFunds.ts'
import type { AuctionDistances } from './auctionDistances.ts'
import { type BackerSession, createBroadcasts } from './broadcasts.ts'
import { onHint } from './hints.ts'

/** The sessions of this process's backers. */
export type BackerSessions = {
  /**
   * Adds a connection, which receives every later `rfq` and `auction_result`. `openRfqs` are the RFQs that were broadcast
   * before and are still open. `wasSent` says whether an auction's RFQ was sent to backers recently, and `traceOf` returns
   * its `traceparent`.
   */
  join(session: BackerSession): {
    openRfqs: RFQBroadcast[]
    leave: () => void
    wasSent: (rfqId: PublicRfqId) => boolean
    traceOf: (rfqId: PublicRfqId) => string | undefined
  }
  /** How many distinct backers are connected to this process. */
  count(): number
  /** The backer of each connection. */
  backers(): Address[]
  /** Sends an RFQ to every backer, through the bus. */
  broadcastRfq(rfq: RFQBroadcast): void
  /** Sends the outcome of an auction to every backer, each with its own entry only. */
  broadcastOutcome(outcome: AuctionOutcome): void
  /** Tells backers how far their quotes were from the best one, each of its own, through the bus. */
  broadcastDistances(distances: AuctionDistances): void
  /** Sends an RFQ to the backers of this instance, unless they have it. */
  tellRfq(rfq: RFQBroadcast): void
  /** Sends the outcome of an auction that ran here to the backers of this instance, unless they have it. */
  tellOutcome(outcome: AuctionOutcome): void
  /** Resolves when everything that has come over the bus has been sent. */
  flushed(): Promise<void>
}

/** An RFQ is forgotten so many milliseconds after its close: a message about it that comes later is news again. */
const graceMs = 5_000

/**
 * Creates the sessions. Messages come over the bus, whichever process opened the auction, and each is encoded once. The
 * open RFQs are known from the same messages, so that a backer which joins gets each RFQ exactly once: a message goes to
 * the sessions that exist when it comes, even if it is sent to the last of them a few turns later.
 *
 * A `takerRecord` goes through the bus with its RFQ; each instance tells it to those backers whose means it knows to cover the RFQ.
 * So does a `traceparent`, for those that take it.
 */
export function createBackerSessions({
  bus,
  clock,
  presence,
  means,
  tracing,
}: {
  bus: Bus
  clock: Pick<Clock, 'now' | 'monotonic'>
  presence: Pick<Presence, 'join'>
  means: Pick<MakerFunds, 'joined' | 'cover'>
  /** Absent: nothing is traced. */
  tracing?: Tracing
}): BackerSessions {
  /** By lower-case address. */
  const byAddress = new Map<string, Set<BackerSession>>()
  const sessions = new Set<BackerSession>()
  /** What was told of the latest auctions; without its RFQ, one that is over. */
  const rfqs = new Map<PublicRfqId, { rfq: RFQBroadcast | null; until: number }>()
  const broadcasts = createBroadcasts()

  const remember = (rfqId: PublicRfqId, told: { rfq: RFQBroadcast | null; until: number }) => {
    const now = clock.monotonic()
    for (const [known, { until }] of rfqs) {
      // In the order of their coming; about all are open for the same time.
      if (until >= now) break
      rfqs.delete(known)
    }
    rfqs.set(rfqId, told)
  }
  const tellRfq = (rfq: RFQBroadcast, frame: string) => {
    const { rfqId, openedAt, closesAt } = rfq
    // A message may come twice, or after what it tells was seen in the store, or after the outcome.
    if (rfqs.has(rfqId)) return
    remember(rfqId, { rfq, until: clock.monotonic() + closesAt - openedAt + graceMs })
    if (rfq.takerRecord === undefined && rfq.traceparent === undefined) {
      return broadcasts.send({ frame, recipients: [...sessions] })
    }
    const sights = new Map<RFQSight, BackerSession[]>()
    for (const session of sessions) {
      const sight = sightOf(session, rfq)
      const alike = sights.get(sight)
      if (alike) alike.push(session)
      else sights.set(sight, [session])
    }
    for (const [sight, recipients] of sights) broadcasts.send({ frame: frameOf(shown(rfq, sight)), recipients })
  }
  const sightOf = ({ address, traces = false }: BackerSession, rfq: RFQBroadcast): RFQSight => {
    const hasRecord = rfq.takerRecord !== undefined && means.cover(address, rfq)
    return hasRecord ? (traces ? 'all' : 'record') : traces ? 'trace' : 'terms'
  }
  const tellOutcome = ({ backers, ...result }: AuctionOutcome, ranHere: boolean) => {
    const told = rfqs.get(result.rfqId)
    if (told?.rfq === null) return
    // It is over: an RFQ that comes after its outcome is not told.
    remember(result.rfqId, { rfq: null, until: clock.monotonic() + graceMs })
    // Of an auction that ran here the RFQ was told, even if it is forgotten because the close could not be written for long.
    if (!told && !ranHere) return
    const frame = encodeJson({ type: 'auction_result', ...result })
    const others = new Set(sessions)
    for (const [address, { outcome, hash }] of Object.entries(backers)) {
      const recipients = [...(byAddress.get(address) ?? [])]
      const own = JSON.stringify({ ...(hash && { own: { hash } }), outcome })
      // The frames differ in their end only, so the rest is encoded once.
      broadcasts.send({ frame: `${frame.slice(0, -1)},${own.slice(1)}`, recipients })
      for (const session of recipients) others.delete(session)
    }
    broadcasts.send({ frame, recipients: [...others] })
  }

  onHint(bus, 'rfq', (rfq, frame) => {
    // News of an auction that is over is none, however it was held up.
    if (rfq.closesAt > clock.now()) tellRfq(rfq, frame)
  })
  onHint(bus, 'auction_result', (outcome) => tellOutcome(outcome, false))
  onHint(bus, 'auction_distance', ({ rfqId, backers }) => {
    for (const [address, own] of Object.entries(backers)) {
      const recipients = [...(byAddress.get(address) ?? [])]
      if (recipients.length > 0)
        broadcasts.send({ frame: encodeJson({ type: 'auction_distance', rfqId, ...own }), recipients })
    }
  })

  const frameOf = (rfq: RFQBroadcast) => encodeJson({ type: 'rfq', ...rfq })

  return {
    join(session) {
      const address = session.address.toLowerCase()
      const own = byAddress.get(address) ?? new Set()
      byAddress.set(address, own.add(session))
      sessions.add(session)
      const leavePresence = presence.join(session.address)
      means.joined()
      const now = clock.monotonic()
      return {
        openRfqs: [...rfqs.values()].flatMap(({ rfq, until }) =>
          rfq && until >= now ? [shown(rfq, sightOf(session, rfq))] : [],
        ),
        wasSent: (rfqId) => rfqs.has(rfqId),
        traceOf: (rfqId) => rfqs.get(rfqId)?.rfq?.traceparent,
        leave: () => {
          leavePresence()
          sessions.delete(session)
          own.delete(session)
          if (own.size === 0 && byAddress.get(address) === own) byAddress.delete(address)
        },
      }
    },
    count: () => byAddress.size,
    backers: () => [...sessions].map(({ address }) => address),
    broadcastRfq(rfq) {
      if (!tracing) return bus.publish('rfq', frameOf(rfq))
      const attributes = { ...messaging, 'firmquote.rfq.id': rfq.rfqId }
      void tracing.step(
        'send rfq',
        async (span) => bus.publish('rfq', frameOf(span ? { ...rfq, traceparent: span.traceparent } : rfq)),
        { kind: 'producer', attributes },
      )
    },
    tellRfq: (rfq) => tellRfq(rfq, frameOf(rfq)),
    tellOutcome: (outcome) => tellOutcome(outcome, true),
    broadcastDistances: (distances) => bus.publish('auction_distance', encodeJson(distances)),
    broadcastOutcome: (outcome) => bus.publish('auction_result', encodeJson(outcome)),
    flushed: broadcasts.flushed,
  }
}

const messaging = {
  'messaging.system': 'firmquote',
  'messaging.destination.name': 'rfq',
  'messaging.operation.type': 'send',
}

/** What a backer sees of an RFQ beside its terms. */
type RFQSight = 'all' | 'record' | 'trace' | 'terms'

function shown({ takerRecord, traceparent, ...terms }: RFQBroadcast, sight: RFQSight): RFQBroadcast {
  return {
    ...terms,
    ...((sight === 'all' || sight === 'record') && takerRecord && { takerRecord }),
    ...((sight === 'all' || sight === 'trace') && traceparent && { traceparent }),
  }
}

import type { PublicRfqId, RFQBroadcast } from '@firmquote/core'
import { type Clock, encodeJson } from '@firmquote/core/utils'
import type { Address } from 'viem'
import type { AuctionOutcome } from '../../domain/auctionOutcome.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Presence } from '../../ports/presence.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { MakerFunds } from '../makers/makerFunds.ts'
import type { AuctionDistances } from './auctionDistances.ts'
import { type BackerSession, createBroadcasts } from './broadcasts.ts'
import { onHint } from './hints.ts'

/** Sessions of backers connected to this process. */
export type BackerSessions = {
  /**
   * Adds a connection, which receives every later `rfq` and `auction_result`. `openRfqs` lists the RFQs already
   * broadcast and still open. `wasSent` returns whether an RFQ was recently sent to backers. `traceOf` returns its
   * `traceparent`.
   */
  join(session: BackerSession): {
    openRfqs: RFQBroadcast[]
    leave: () => void
    wasSent: (rfqId: PublicRfqId) => boolean
    traceOf: (rfqId: PublicRfqId) => string | undefined
  }
  /** The number of distinct backers connected to this process. */
  count(): number
  /** The backer of each connection. A backer with several connections appears several times. */
  backers(): Address[]
  /** Sends an RFQ to every backer over the bus. */
  broadcastRfq(rfq: RFQBroadcast): void
  /** Sends an auction's outcome to every backer over the bus. Each backer sees only its own entry. */
  broadcastOutcome(outcome: AuctionOutcome): void
  /** Sends each backer, over the bus, its quote's distance from the best one. Each backer sees only its own entry. */
  broadcastDistances(distances: AuctionDistances): void
  /** Sends an RFQ to this instance's backers unless it was already sent. */
  sendRfq(rfq: RFQBroadcast): void
  /** Sends the outcome of an auction that ran here to this instance's backers unless it was already sent. */
  sendOutcome(outcome: AuctionOutcome): void
  /** Resolves once every bus message received so far has been sent to backers. */
  flushed(): Promise<void>
}

/**
 * Milliseconds for which an RFQ is remembered after its auction closes. After that, a message about the RFQ is treated
 * as new.
 */
const graceMs = 5_000

/**
 * Creates the sessions. Every message arrives over the bus, regardless of which process opened the auction, and is
 * encoded once. The set of open RFQs is derived from the same messages, so a new backer receives each RFQ exactly once.
 * A message goes to the sessions connected when it arrives, even if it reaches some of them a few slices later.
 *
 * A `takerRecord` is sent with its RFQ. Each instance shows the record only to backers known to have funds that cover
 * the RFQ. An instance shows a `traceparent` only to backers that accept one.
 */
export function createBackerSessions({
  bus,
  clock,
  presence,
  funds,
  tracing,
  onRfqSent,
}: {
  bus: Bus
  clock: Pick<Clock, 'now' | 'monotonic'>
  presence: Pick<Presence, 'join'>
  funds: Pick<MakerFunds, 'joined' | 'cover'>
  /** Absent if tracing is off. */
  tracing?: Tracing
  /** Called after each RFQ is sent, with its makers' lower-case addresses. `isLate` if its hint was missed. */
  onRfqSent?: (rfqId: PublicRfqId, makers: Iterable<string>, isLate: boolean) => void
}): BackerSessions {
  /** By lower-case address. */
  const byAddress = new Map<string, Set<BackerSession>>()
  const sessions = new Set<BackerSession>()
  /** The latest auctions; `rfq` is null once the auction has ended. */
  const rfqs = new Map<PublicRfqId, { rfq: RFQBroadcast | null; until: number }>()
  const broadcasts = createBroadcasts()

  const remember = (rfqId: PublicRfqId, told: { rfq: RFQBroadcast | null; until: number }) => {
    const now = clock.monotonic()
    for (const [known, { until }] of rfqs) {
      // Entries are in order of arrival and thus of expiry, because all auctions have the same length.
      if (until >= now) break
      rfqs.delete(known)
    }
    rfqs.set(rfqId, told)
  }
  const sendRfq = (rfq: RFQBroadcast, frame: string, isLate: boolean) => {
    const { rfqId, openedAt, closesAt } = rfq
    // This message may be a duplicate, or arrive after the auction was read from the store or after its outcome.
    if (rfqs.has(rfqId)) return
    remember(rfqId, { rfq, until: clock.monotonic() + closesAt - openedAt + graceMs })
    onRfqSent?.(rfqId, byAddress.keys(), isLate)
    if (rfq.takerRecord === undefined && rfq.traceparent === undefined) {
      return broadcasts.send({ frame, recipients: [...sessions] })
    }
    const byVisibility = new Map<Visibility, BackerSession[]>()
    for (const session of sessions) {
      const visibility = visibilityOf(session, rfq)
      const alike = byVisibility.get(visibility)
      if (alike) alike.push(session)
      else byVisibility.set(visibility, [session])
    }
    for (const [visibility, recipients] of byVisibility)
      broadcasts.send({ frame: frameOf(shown(rfq, visibility)), recipients })
  }
  const visibilityOf = ({ address, traces = false }: BackerSession, rfq: RFQBroadcast): Visibility => {
    const hasRecord = rfq.takerRecord !== undefined && funds.cover(address, rfq)
    return hasRecord ? (traces ? 'all' : 'record') : traces ? 'trace' : 'terms'
  }
  const sendOutcome = ({ backers, ...result }: AuctionOutcome, ranHere: boolean) => {
    const told = rfqs.get(result.rfqId)
    if (told?.rfq === null) return
    // Suppresses an RFQ that arrives after its outcome.
    remember(result.rfqId, { rfq: null, until: clock.monotonic() + graceMs })
    // If the auction ran here, its RFQ was sent, even if a late close means it is no longer remembered.
    if (!told && !ranHere) return
    const frame = encodeJson({ type: 'auction_result', ...result })
    const others = new Set(sessions)
    for (const [address, { outcome, hash }] of Object.entries(backers)) {
      const recipients = [...(byAddress.get(address) ?? [])]
      const own = JSON.stringify({ ...(hash && { own: { hash } }), outcome })
      // The backer-specific part comes last in the frame, so the rest is encoded once for all backers.
      broadcasts.send({ frame: `${frame.slice(0, -1)},${own.slice(1)}`, recipients })
      for (const session of recipients) others.delete(session)
    }
    broadcasts.send({ frame, recipients: [...others] })
  }

  onHint(bus, 'rfq', (rfq, frame) => {
    // A delayed message about a closed auction is useless.
    if (rfq.closesAt > clock.now()) sendRfq(rfq, frame, false)
  })
  onHint(bus, 'auction_result', (outcome) => sendOutcome(outcome, false))
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
      funds.joined()
      const now = clock.monotonic()
      return {
        openRfqs: [...rfqs.values()].flatMap(({ rfq, until }) =>
          rfq && until >= now ? [shown(rfq, visibilityOf(session, rfq))] : [],
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
    sendRfq: (rfq) => sendRfq(rfq, frameOf(rfq), true),
    sendOutcome: (outcome) => sendOutcome(outcome, true),
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

/** The optional RFQ fields that a backer may see. */
type Visibility = 'all' | 'record' | 'trace' | 'terms'

function shown({ takerRecord, traceparent, ...terms }: RFQBroadcast, visibility: Visibility): RFQBroadcast {
  return {
    ...terms,
    ...((visibility === 'all' || visibility === 'record') && takerRecord && { takerRecord }),
    ...((visibility === 'all' || visibility === 'trace') && traceparent && { traceparent }),
  }
}

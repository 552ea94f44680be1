import type { Clock, PublicRfqId, RFQBroadcast } from '@firmquote/core'
import { decode, encodeJson, rfqBroadcastShape } from '@firmquote/core/wire'
import type { AuctionOutcome } from '../../domain/auctionState.ts'
import type { Bus } from '../../ports/bus.ts'
import type { BackerSession } from '../service.ts'
import { createBroadcasts } from './broadcasts.ts'

/** The sessions of this process's backers. */
export type BackerSessions = {
  /** Adds a session; `openRfqs` are the auctions whose RFQ was broadcast before. */
  join(session: BackerSession): { openRfqs: RFQBroadcast[]; leave: () => void }
  /** How many distinct backers are connected. */
  count(): number
  /** Sends an RFQ to every backer, through the bus. */
  broadcastRfq(rfq: RFQBroadcast): void
  /** Sends the outcome of an auction to every backer, each with its own rank only. */
  broadcastOutcome(outcome: AuctionOutcome): void
  /** Resolves when everything that has come over the bus has been sent. */
  flushed(): Promise<void>
}

/** An RFQ without a result is forgotten so many milliseconds after its close. */
const graceMs = 5_000

/**
 * Creates the sessions. Messages come over the bus, whichever process opened the auction, and each is encoded once. The
 * open RFQs are known from the same messages, so that a backer which joins gets each RFQ exactly once: a message goes to
 * the sessions that exist when it comes, even if it is sent to the last of them a few turns later.
 */
export function createBackerSessions({ bus, clock }: { bus: Bus; clock: Pick<Clock, 'monotonic'> }): BackerSessions {
  /** By lower-case address. */
  const byAddress = new Map<string, Set<BackerSession>>()
  const sessions = new Set<BackerSession>()
  const openRfqs = new Map<PublicRfqId, { rfq: RFQBroadcast; until: number }>()
  const broadcasts = createBroadcasts()

  bus.subscribe('rfq', (frame) => {
    const rfq = decode(rfqBroadcastShape, JSON.parse(frame))
    if (!rfq.ok) return
    const { rfqId, openedAt, closesAt } = rfq.value
    openRfqs.set(rfqId, { rfq: rfq.value, until: clock.monotonic() + closesAt - openedAt + graceMs })
    broadcasts.send({ frame, recipients: [...sessions] })
  })
  bus.subscribe('auction_result', (payload) => {
    const { own: ranks, ...outcome } = JSON.parse(payload) as AuctionOutcome
    openRfqs.delete(outcome.rfqId)
    const frame = encodeJson({ type: 'auction_result', ...outcome })
    const unranked = new Set(sessions)
    for (const [address, own] of Object.entries(ranks)) {
      const recipients = [...(byAddress.get(address) ?? [])]
      // The frames differ in their end only, so the rest is encoded once.
      broadcasts.send({ frame: `${frame.slice(0, -1)},"own":${JSON.stringify(own)}}`, recipients })
      for (const session of recipients) unranked.delete(session)
    }
    broadcasts.send({ frame, recipients: [...unranked] })
  })

  return {
    join(session) {
      const address = session.address.toLowerCase()
      const own = byAddress.get(address) ?? new Set()
      byAddress.set(address, own.add(session))
      sessions.add(session)
      const now = clock.monotonic()
      for (const [rfqId, { until }] of openRfqs) if (until < now) openRfqs.delete(rfqId)
      return {
        openRfqs: [...openRfqs.values()].map(({ rfq }) => rfq),
        leave: () => {
          sessions.delete(session)
          own.delete(session)
          if (own.size === 0 && byAddress.get(address) === own) byAddress.delete(address)
        },
      }
    },
    count: () => byAddress.size,
    broadcastRfq: (rfq) => bus.publish('rfq', encodeJson({ type: 'rfq', ...rfq })),
    broadcastOutcome: (outcome) => bus.publish('auction_result', encodeJson(outcome)),
    flushed: broadcasts.flushed,
  }
}

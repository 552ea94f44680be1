import type { RFQBroadcast } from '@firmquote/core'
import { decode, encodeJson, rfqBroadcastShape } from '@firmquote/core/wire'
import type { AuctionOutcome } from '../../domain/auctionState.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Clock } from '../../ports/clock.ts'
import type { BackerSession } from '../service.ts'
import { createBroadcasts } from './broadcasts.ts'

/** The connections of this process's backers, and what they have been told. */
export type BackerSessions = {
  join(session: BackerSession): { openRfqs: RFQBroadcast[]; leave: () => void }
  /** How many distinct backers are connected. */
  count(): number
  /** Tells every backer of an auction, through the bus. `rfq` carries the public id. */
  announce(rfq: RFQBroadcast): void
  /** Tells every backer of its close, each its own place. */
  conclude(outcome: AuctionOutcome): void
  /** Resolves when everyone has been told what came over the bus. */
  told(): Promise<void>
}

/** An RFQ whose result never came is forgotten so long after its close, in milliseconds. */
const graceMs = 5_000

/**
 * Keeps the backers' connections. What they are told comes over the bus and is written once, whoever opened the auction;
 * what is still open is known from the same messages, so that a backer who joins gets each RFQ exactly once: a message
 * goes to those who are here when it comes, even if it is sent to the last of them a little later.
 */
export function createBackerSessions({ bus, clock }: { bus: Bus; clock: Pick<Clock, 'monotonic'> }): BackerSessions {
  /** By lower-case address. */
  const sessions = new Map<string, Set<BackerSession>>()
  const everyone = new Set<BackerSession>()
  const openRfqs = new Map<string, { rfq: RFQBroadcast; until: number }>()
  const broadcasts = createBroadcasts()

  bus.subscribe('rfq', (frame) => {
    const rfq = decode(rfqBroadcastShape, JSON.parse(frame))
    if (!rfq.ok) return
    const { rfqId, openedAt, closesAt } = rfq.value
    openRfqs.set(rfqId, { rfq: rfq.value, until: clock.monotonic() + closesAt - openedAt + graceMs })
    broadcasts.send({ frame, to: [...everyone] })
  })
  bus.subscribe('auction_result', (payload) => {
    const { own: places, ...outcome } = JSON.parse(payload) as AuctionOutcome
    openRfqs.delete(outcome.rfqId)
    const result = encodeJson({ type: 'auction_result', ...outcome })
    const others = new Set(everyone)
    for (const [address, own] of Object.entries(places)) {
      const to = [...(sessions.get(address) ?? [])]
      // Hundreds of backers get the same text but for its end.
      broadcasts.send({ frame: `${result.slice(0, -1)},"own":${JSON.stringify(own)}}`, to })
      for (const session of to) others.delete(session)
    }
    broadcasts.send({ frame: result, to: [...others] })
  })

  return {
    join(session) {
      const address = session.address.toLowerCase()
      const own = sessions.get(address) ?? new Set()
      sessions.set(address, own.add(session))
      everyone.add(session)
      const now = clock.monotonic()
      for (const [rfqId, { until }] of openRfqs) if (until < now) openRfqs.delete(rfqId)
      return {
        openRfqs: [...openRfqs.values()].map(({ rfq }) => rfq),
        leave: () => {
          everyone.delete(session)
          own.delete(session)
          if (own.size === 0 && sessions.get(address) === own) sessions.delete(address)
        },
      }
    },
    count: () => sessions.size,
    announce: (rfq) => bus.publish('rfq', encodeJson({ type: 'rfq', ...rfq })),
    conclude: (outcome) => bus.publish('auction_result', encodeJson(outcome)),
    told: broadcasts.done,
  }
}

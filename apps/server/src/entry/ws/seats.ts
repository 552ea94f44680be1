import type { Clock } from '@firmquote/core'
import type { Address } from 'viem'
import type { ReadStanding } from '../../app/makers/makerStanding.ts'
import { judgeSeats } from '../../domain/seats.ts'
import { createPendingSockets, type PendingSocket } from './pendingSockets.ts'

/** A connection whose maker has proven itself, and that wants a seat or has one. */
export type SeatClaim = {
  maker: Address
  networks: readonly string[]
  /** Closes it: its place goes to a maker with more means. */
  giveWay(): void
}

/** The seats of authenticated makers. */
export type Seats = {
  /** Calls back once when the connection has a seat: at once while there are free ones, else when the means of all are known. */
  claim(claim: SeatClaim, onSeated: () => void): { release(): void }
  /** How many seats are taken. */
  count(): number
}

/** The dependencies of {@link createSeats}. */
export type SeatsOptions = {
  seats: number
  /** How many may wait for a decision. */
  waiting: number
  readStanding: ReadStanding
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** A seated connection has given its place to another. */
  onGivenBack?: () => void
  onFailure: (error: unknown) => void
}

/** From the start of a decision to the next in milliseconds, at least: each reads the means of all who have a seat or wait for one. */
const decisionIntervalMs = 1_000
/** A connection that waits is given up when so many readings in a row have failed for it: a node may fail once. */
const mostFailedReadings = 3

/** Creates the seats. While they are not full, nothing is read. */
export function createSeats(options: SeatsOptions): Seats {
  const { seats, waiting: mostWaiting, readStanding, clock, onGivenBack, onFailure } = options
  const seated = new Set<SeatClaim>()
  const waiting = new Map<SeatClaim, { onSeated: () => void; leave: () => void; failedReadings: number }>()
  const crowd = createPendingSockets({ all: mostWaiting, perNetwork: mostWaiting })
  let nextDecisionAt = Number.NEGATIVE_INFINITY
  let deciding = false

  const schedule = () => {
    if (deciding || waiting.size === 0) return
    deciding = true
    clock.after(Math.max(0, nextDecisionAt - clock.monotonic()), () => {
      nextDecisionAt = clock.monotonic() + decisionIntervalMs
      void decide().finally(() => {
        deciding = false
        schedule()
      })
    })
  }

  const drop = (claim: SeatClaim) => {
    waiting.get(claim)?.leave()
    waiting.delete(claim)
    seated.delete(claim)
  }

  /** Without a reading nobody who has a seat loses it. */
  const countFailure = (asked: readonly SeatClaim[]) => {
    for (const claim of asked) {
      const entry = waiting.get(claim)
      if (!entry) continue
      entry.failedReadings += 1
      if (entry.failedReadings < mostFailedReadings) continue
      drop(claim)
      claim.giveWay()
    }
  }

  const decide = async () => {
    // Who comes during the reading is not in it, and waits for the next one.
    const asked = [...seated, ...waiting.keys()]
    const standing = await readStanding(asked.map(({ maker }) => maker)).catch((error: unknown) => {
      onFailure(error)
      return null
    })
    if (!standing) return countFailure(asked)
    const present = asked.filter((claim) => seated.has(claim) || waiting.has(claim))
    const others = [...seated].filter((claim) => !asked.includes(claim)).length
    const leaving = new Set<SeatClaim>(judgeSeats(present, standing, seats - others))
    for (const claim of leaving) {
      if (seated.has(claim)) onGivenBack?.()
      drop(claim)
      claim.giveWay()
    }
    for (const claim of present) {
      const entry = waiting.get(claim)
      if (!entry) continue
      drop(claim)
      seated.add(claim)
      entry.onSeated()
    }
  }

  return {
    claim(claim, onSeated) {
      if (seated.size < seats && waiting.size === 0) {
        seated.add(claim)
        onSeated()
      } else {
        const pending: PendingSocket = {
          networks: claim.networks,
          giveWay() {
            waiting.delete(claim)
            claim.giveWay()
          },
        }
        waiting.set(claim, { onSeated, leave: crowd.add(pending), failedReadings: 0 })
        schedule()
      }
      return { release: () => drop(claim) }
    },
    count: () => seated.size,
  }
}

import type { Clock } from '@firmquote/core/utils'
import type { Address } from 'viem'
import type { ReadStanding } from '../../app/makers/makerStanding.ts'
import { judgeSeats } from '../../domain/seats.ts'
import { createPendingSockets, type PendingSocket } from './pendingSockets.ts'

/** An authenticated connection that has a seat or is waiting for one. */
export type SeatClaim = {
  maker: Address
  networks: readonly string[]
  /** Closes the connection. A maker with more funds takes the seat. */
  evict(): void
}

/** Seats for authenticated makers. */
export type Seats = {
  /**
   * Calls `onSeated` once the connection has a seat: immediately if one is free, otherwise after comparing all makers'
   * funds.
   */
  claim(claim: SeatClaim, onSeated: () => void): { release(): void }
  /** The number of seats in use. */
  count(): number
}

/** Dependencies of {@link createSeats}. */
export type SeatsOptions = {
  seats: number
  /** Maximum number of connections waiting for a decision. */
  waiting: number
  readStanding: ReadStanding
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** Called when a connection loses its seat to another. */
  onEvicted?: () => void
  onFailure: (error: unknown) => void
}

/**
 * Minimum interval between decisions, in milliseconds. Each decision reads the funds of all makers with a seat or
 * waiting for one.
 */
const decisionIntervalMs = 1_000
/** Consecutive failed reads after which a waiting connection is closed. */
const maxFailedReads = 3

/** Creates the seats. Funds are read only when all seats are in use. */
export function createSeats(options: SeatsOptions): Seats {
  const { seats, waiting: maxWaiting, readStanding, clock, onEvicted, onFailure } = options
  const seated = new Set<SeatClaim>()
  const waiting = new Map<SeatClaim, { onSeated: () => void; leave: () => void; failedReads: number }>()
  const waitingSockets = createPendingSockets({ all: maxWaiting, perNetwork: maxWaiting })
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

  /** Called after a failed read of funds, which changes no seats. */
  const countFailure = (asked: readonly SeatClaim[]) => {
    for (const claim of asked) {
      const entry = waiting.get(claim)
      if (!entry) continue
      entry.failedReads += 1
      if (entry.failedReads < maxFailedReads) continue
      drop(claim)
      claim.evict()
    }
  }

  const decide = async () => {
    // Connections that arrive during the read wait for the next decision.
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
      if (seated.has(claim)) onEvicted?.()
      drop(claim)
      claim.evict()
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
          evict() {
            waiting.delete(claim)
            claim.evict()
          },
        }
        waiting.set(claim, { onSeated, leave: waitingSockets.add(pending), failedReads: 0 })
        schedule()
      }
      return { release: () => drop(claim) }
    },
    count: () => seated.size,
  }
}

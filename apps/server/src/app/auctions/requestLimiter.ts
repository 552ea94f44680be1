import type { Clock } from '@firmquote/core'
import type { OpenRefusal, Outcome, Requester } from '../service.ts'

/** How many auctions one requester may open. */
export type RequesterLimits = {
  /** In any minute. */
  rfqsPerMinute: number
  /** Open at the same time. */
  openRfqs: number
}

/** How many auctions may be opened. */
export type RequestLimits = RequesterLimits & {
  /**
   * Open at the same time by all requesters. Verified RFQs may have them all, the others half; half as many more may run on that
   * nobody follows any more.
   */
  openAuctions: number
}

/** A requester as one of the limits counts it. */
export type Count = { key: string; limits: RequesterLimits }

/** A place among the open auctions. */
export type Place = {
  /** Ends its count; further calls do nothing. */
  release(): void
  /**
   * Nobody follows the auction any more: it runs on among the abandoned ones, if there is room, and its place among the open
   * ones is free. Its requester's own count goes on.
   *
   * @returns whether its place is free now, and was not before.
   */
  abandon(): boolean
}

/** Limits how many auctions are opened, and by whom. */
export type RequestLimiter = {
  /** Admits one auction if every count has room, or says why not. */
  acquire(counts: readonly Count[], options: { verified: boolean }): Outcome<Place, OpenRefusal>
  /** Counts one check of a proof, which costs a signature and a reading of the chain, or says why it is not made. */
  spendProof(counts: readonly Count[]): Outcome<null, OpenRefusal>
}

const windowMs = 60_000
/** For each RFQ that a network may send, so many proofs are checked: takers behind it have quotas of their own. */
export const proofsPerRfq = 5
/** A network that contains others, of which one client may have many, may send so many times as much as one of them. */
const widerFactor = 4
/** Most requesters whose latest requests are remembered. */
const mostRemembered = 100_000

/** What an RFQ counts against: its verified taker alone, else the integrator, else the networks that it comes from. */
export function countsOf(
  { address, wider, integrator }: Pick<Requester, 'address' | 'wider' | 'integrator'>,
  taker: string | null,
  { rfqsPerMinute, openRfqs }: RequesterLimits,
): Count[] {
  const limits = { rfqsPerMinute, openRfqs }
  if (taker !== null) return [{ key: `taker ${taker.toLowerCase()}`, limits }]
  if (integrator) return [{ key: `integrator ${integrator.id}`, limits: integrator.limits }]
  const most = { rfqsPerMinute: rfqsPerMinute * widerFactor, openRfqs: openRfqs * widerFactor }
  return [{ key: address, limits }, ...(wider === undefined ? [] : [{ key: wider, limits: most }])]
}

/** Creates a limiter with windows that slide with the monotonic clock. */
export function createRequestLimiter(clock: Pick<Clock, 'monotonic'>, limits: RequestLimits): RequestLimiter {
  const requests = createWindow(clock)
  const proofs = createWindow(clock)
  const open = new Map<string, number>()
  const mostUnverified = Math.ceil(limits.openAuctions / 2)
  const mostAbandoned = Math.ceil(limits.openAuctions / 2)
  const total = { open: 0, unverified: 0, abandoned: 0 }

  const refusalOf = (counts: readonly Count[], verified: boolean): OpenRefusal | null => {
    if (total.open >= limits.openAuctions) return { code: 'OVERLOADED' }
    if (!verified && total.unverified >= mostUnverified) return { code: 'OVERLOADED' }
    for (const { key, limits: own } of counts) {
      const count = open.get(key) ?? 0
      if (count >= own.openRfqs) return { code: 'TOO_MANY_OPEN', open: count, limit: own.openRfqs }
    }
    for (const { key, limits: own } of counts) {
      const retryAfterSeconds = requests.wait(key, own.rfqsPerMinute)
      if (retryAfterSeconds > 0) return { code: 'RATE_LIMITED', retryAfterSeconds }
    }
    return null
  }

  const leave = (verified: boolean) => {
    total.open -= 1
    if (!verified) total.unverified -= 1
  }

  const createPlace = (counts: readonly Count[], verified: boolean): Place => {
    let state: 'open' | 'abandoned' | 'released' = 'open'
    return {
      release() {
        if (state === 'released') return
        if (state === 'open') leave(verified)
        else total.abandoned -= 1
        state = 'released'
        for (const { key } of counts) {
          const left = (open.get(key) ?? 0) - 1
          if (left > 0) open.set(key, left)
          else open.delete(key)
        }
      },
      abandon() {
        if (state !== 'open' || total.abandoned >= mostAbandoned) return false
        state = 'abandoned'
        leave(verified)
        total.abandoned += 1
        return true
      },
    }
  }

  return {
    acquire(counts, { verified }) {
      const rejection = refusalOf(counts, verified)
      if (rejection) return { ok: false, rejection }
      total.open += 1
      if (!verified) total.unverified += 1
      for (const { key } of counts) {
        requests.add(key)
        open.set(key, (open.get(key) ?? 0) + 1)
      }
      return { ok: true, value: createPlace(counts, verified) }
    },
    spendProof(counts) {
      for (const { key, limits: own } of counts) {
        const retryAfterSeconds = proofs.wait(key, own.rfqsPerMinute * proofsPerRfq)
        if (retryAfterSeconds > 0) return { ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds } }
      }
      for (const { key } of counts) proofs.add(key)
      return { ok: true, value: null }
    },
  }
}

/** Counts by key what has come within the last minute. */
function createWindow(clock: Pick<Clock, 'monotonic'>) {
  /** In the order of the latest request of each. */
  const times = new Map<string, number[]>()

  const recentOf = (key: string) => (times.get(key) ?? []).filter((time) => time > clock.monotonic() - windowMs)

  return {
    /** Seconds until one more is within the limit; zero when it is now. */
    wait(key: string, limit: number): number {
      const oldest = recentOf(key).at(-limit)
      if (oldest === undefined) return 0
      return Math.max(1, Math.ceil((oldest + windowMs - clock.monotonic()) / 1000))
    },
    add(key: string) {
      const now = clock.monotonic()
      const recent = [...recentOf(key), now]
      times.delete(key)
      times.set(key, recent)
      for (const [oldest, known] of times) {
        const isOver = (known.at(-1) ?? now) <= now - windowMs
        if (!isOver && times.size <= mostRemembered) break
        times.delete(oldest)
      }
    },
  }
}

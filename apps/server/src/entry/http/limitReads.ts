// Why: docs/decisions/0082-read-limits.md
import type { endpoints } from '@firmquote/core/endpoints'
import type { Clock } from '@firmquote/core/utils'
import type { Request } from 'express'
import { LRUCache } from 'lru-cache'
import type { Integrator } from '../../domain/quotas.ts'
import type { EntryLimits } from '../entryLimits.ts'
import { isLoopback, networksOf } from '../limitConnections.ts'
import { hashApiKey } from './hashApiKey.ts'
import type { HttpContext } from './httpContext.ts'
import { refusal } from './responses/problem.ts'

/**
 * The cost of each read, in about milliseconds of a server with 900 published quotes. Endpoints that open auctions or
 * publish quotes have their own limits. Shared answers and probes are free.
 */
export const readCosts: Partial<Record<keyof typeof endpoints, number>> = {
  listQuotes: 8,
  getQuote: 1,
  explainCancellation: 1,
  followAuction: 1,
  getAuction: 1,
  listObservations: 3,
  getPoolRates: 2,
  getCurrentRates: 2,
  getRateHistory: 3,
  getPositions: 3,
  getMakerQuotes: 3,
  getMakerOutcomes: 3,
  getAuctionProof: 8,
  getAuctionLeaves: 4,
  getMakerProof: 8,
  getHealth: 1,
  getMetrics: 3,
}

/** Maximum number of networks, and of addresses, whose spending is kept. */
const maxKnown = 10_000
/** A /48's budget, as a multiple of a /64's. */
const widerFactor = 4
/** The part of a minute's reads that a client may send at once. */
const burst = 1 / 6
const mostExpensive = Math.max(...Object.values(readCosts))

/** A token bucket. `left` is as of `at`, in milliseconds of the monotonic clock. */
type Bucket = { left: number; at: number; readonly perMs: number; readonly most: number }

/** Charges clients for their reads. Every step takes constant time, and a known client's read allocates nothing. */
export type ReadBudgets = {
  /**
   * Charges a client by its address or, if it is an integrator, by its key.
   *
   * @returns the seconds after which the client can afford this read; 0 if it was charged.
   */
  spend(cost: number, client: { ip: string; integrator?: Integrator | undefined }): number
}

/**
 * Creates the clients' budgets: token buckets that refill continuously. An IPv6 client pays from the budgets of its
 * /64 and its /48. An integrator's budget is as many times larger as its quota of RFQs. Loopback pays nothing.
 */
export function createReadBudgets(
  clock: Pick<Clock, 'monotonic'>,
  { readsPerMinute, rfqsPerMinute }: { readsPerMinute: number; rfqsPerMinute: number },
): ReadBudgets {
  const ofNetwork = new LRUCache<string, Bucket>({ max: maxKnown })
  /** The budgets that a client pays from, by address or integrator. */
  const ofClient = new LRUCache<string, readonly Bucket[]>({ max: maxKnown })

  const bucketOf = (network: string, factor: number): Bucket => {
    const known = ofNetwork.get(network)
    if (known) return known
    const perMinute = readsPerMinute * factor
    const most = Math.max(perMinute * burst, mostExpensive)
    const bucket = { left: most, at: clock.monotonic(), perMs: perMinute / 60_000, most }
    ofNetwork.set(network, bucket)
    return bucket
  }
  const bucketsOf = (ip: string, integrator: Integrator | undefined): readonly Bucket[] => {
    if (integrator) return [bucketOf(integrator.id, Math.max(1, integrator.limits.rfqsPerMinute / rfqsPerMinute))]
    if (isLoopback(ip)) return []
    const { address, wider } = networksOf(ip)
    return [bucketOf(address, 1), ...(wider === undefined ? [] : [bucketOf(wider, widerFactor)])]
  }

  return {
    spend(cost, { ip, integrator }) {
      const client = integrator?.id ?? ip
      let buckets = ofClient.get(client)
      if (!buckets) {
        buckets = bucketsOf(ip, integrator)
        ofClient.set(client, buckets)
      }
      const now = clock.monotonic()
      let waitMs = 0
      for (const bucket of buckets) {
        bucket.left = Math.min(bucket.most, bucket.left + (now - bucket.at) * bucket.perMs)
        bucket.at = now
        waitMs = Math.max(waitMs, (cost - bucket.left) / bucket.perMs)
      }
      if (waitMs > 0) return Math.ceil(waitMs / 1_000)
      for (const bucket of buckets) bucket.left -= cost
      return 0
    },
  }
}

/**
 * Creates the check that charges a request's client.
 *
 * @throws {ProblemError} `RATE_LIMITED` if the client cannot afford the read.
 */
export function limitReads({
  clock,
  limits,
  metrics,
  service,
}: Pick<HttpContext, 'clock' | 'metrics' | 'service'> & {
  limits: Pick<EntryLimits, 'readsPerMinute'>
}): (cost: number, req: Request) => void {
  const { rfqsPerMinute } = service.config.limits
  const budgets = createReadBudgets(clock, { readsPerMinute: limits.readsPerMinute, rfqsPerMinute })
  return (cost, req) => {
    const apiKey = req.get('X-Api-Key')
    const found = apiKey === undefined ? undefined : service.findIntegrator(hashApiKey(apiKey))
    const integrator = found?.ok ? found.integrator : undefined
    const retryAfterSeconds = budgets.spend(cost, { ip: req.ip ?? '', integrator })
    if (retryAfterSeconds === 0) return
    metrics.limitReached('READS_PER_MINUTE')
    throw refusal({ code: 'RATE_LIMITED', retryAfterSeconds }, retryAfterSeconds)
  }
}

import { createHash } from 'node:crypto'
import {
  InvalidInputError,
  isTemporary,
  type RFQ,
  type RFQRequest,
  type RfqId,
  type TakerRecord,
} from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { bytesToHex, type Hex } from 'viem'
import type { AuctionRecord } from '../../domain/auctionRecord.ts'
import { countsOf, type Integrator, type RequestedSlot } from '../../domain/quotas.ts'
import { formatRfqId, publicRfqId, rfqIdBytes } from '../../domain/rfqIds.ts'
import type { TakerDebt } from '../../domain/takerDebt.ts'
import type { Series } from '../../ports/chain.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { Slot } from '../../ports/quotas.ts'
import { type AuctionKey, type KeyedAuction, keyLifetimeMs } from '../../ports/store.ts'
import type { Sync } from '../chain/sync.ts'
import type { Halts } from '../control/halts.ts'
import { describeFailure } from '../failure.ts'
import type { Outcome } from '../outcome.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { StorageWatch } from '../storageWatch.ts'
import type { FollowedAuction } from './localAuction.ts'
import type { OpenRefusal } from './openRefusal.ts'
import { chainObstacle, resolveSeries, sizeRequest } from './resolveRequest.ts'
import type { RunningAuctions } from './runningAuctions.ts'
import { createTakerProofs } from './takerProofs.ts'
import { createReadTakerRecord } from './takerRecords.ts'

/** The client that requests an auction. */
export type Requester = {
  /** The rate-limit key: an IPv4 address or an IPv6 network. */
  address: string
  /** A larger network that contains `address` and has its own limit. */
  wider?: string
  /** The integrator whose API key was sent with the request. */
  integrator?: Integrator
  /** The service's public origin, which a taker proof must name. Without an audience, every proof is invalid. */
  audience?: string
  /** The request's `Idempotency-Key`. */
  key?: string
}

/** Opens an auction, or returns the one previously opened with the same key. */
export type OpenAuction = (request: RFQRequest, requester: Requester) => Promise<OpenOutcome>

type OpenOutcome = Outcome<FollowedAuction, OpenRefusal>
/** An admitted request: its slot, its taker's verified debt or null, and the monotonic time of admission. */
type Admission = { slot: Slot; verified: TakerDebt | null; at: number }

/**
 * Maximum milliseconds from taking a slot to writing the auction's row. The slot expires this long after the auction
 * ends.
 */
export const openingMs = 10_000

/**
 * Milliseconds within which an admitted request's row is normally written. A slow chain can delay it further.
 */
const rowDelayMs = 500
const limitCodes: ReadonlySet<string> = new Set(['TOO_MANY_OPEN', 'RATE_LIMITED', 'OVERLOADED'])

/**
 * Creates the auction opener, which enforces the limits. Repeating a request with the same key returns the same
 * auction.
 */
export function createAuctionOpener(
  deps: ServiceDeps,
  {
    sync,
    storage,
    halts,
    running,
  }: {
    sync: Pick<Sync, 'status' | 'cycle'>
    storage: Pick<StorageWatch, 'isWritable'>
    halts: Pick<Halts, 'rfqRejection'>
    running: RunningAuctions
  },
): OpenAuction {
  const { chain, clock, store, quotas, presence, random, limits, auctionDurationMs, log, isShared = false } = deps
  /** Requests in progress, by idempotency key. Simultaneous requests with the same key share an outcome. */
  const answering = new Map<string, { request: string; outcome: Promise<OpenOutcome> }>()
  const proveTaker = createTakerProofs(deps)
  const readTakerRecord = createReadTakerRecord(deps)

  /** Admits a request and reserves its taker's debt, so that simultaneous requests cannot use the same debt. */
  const admit = async (
    request: RFQRequest,
    requester: Requester,
    rfqId: RfqId,
  ): Promise<Outcome<Admission, OpenRefusal>> => {
    const counts = countsOf(requester, null, limits)
    const { notional, takerProof } = request
    let taker: RequestedSlot['taker'] = null
    if (takerProof !== undefined) {
      const rejection = await quotas.spendProof(counts)
      if (rejection) return { ok: false, rejection }
      const proven = await proveTaker(request, requester.audience ?? '')
      if (!proven.ok) return proven
      const debt = proven.value
      if (debt) {
        const proof = { taker: debt.taker, timestamp: takerProof.timestamp }
        taker = { rfqId: publicRfqId(rfqId), debt, notional, counts: countsOf(requester, proof, limits) }
      }
    }
    const at = clock.monotonic()
    const admitted = await quotas.admit({ counts, taker }, auctionDurationMs + openingMs)
    if (!admitted.ok) return admitted
    const { slot } = admitted
    return { ok: true, value: { slot, verified: slot.verified && taker ? taker.debt : null, at } }
  }

  const create = async (request: RFQRequest, requester: Requester, key: AuctionKey | null): Promise<OpenOutcome> => {
    if (running.isDraining()) return { ok: false, rejection: { code: 'OVERLOADED' } }
    const rfqId = formatRfqId(random(rfqIdBytes))
    // Checked before the quotas, so that requests during an outage or a halt cost nothing.
    const obstacle = chainObstacle(sync.status()) ?? halts.rfqRejection(request)
    if (obstacle) return { ok: false, rejection: obstacle }
    const admission = await admit(request, requester, rfqId)
    if (!admission.ok) return admission
    const { slot } = admission.value
    try {
      const outcome = await openAdmitted(request, { ...admission.value, rfqId, key })
      // The service's own faults and halts do not use up a requester's quota.
      if (!outcome.ok && isUncounted(outcome.rejection.code)) slot.refund()
      if (!outcome.ok || outcome.value.isReplayed) slot.release()
      return outcome.ok ? { ok: true, value: outcome.value.followed } : outcome
    } catch (error) {
      // An auction whose row may have been written counts.
      if (isTemporary(describeFailure(error).code) && !(error instanceof OutcomeUnknownError)) slot.refund()
      slot.release()
      throw error
    }
  }

  const openAdmitted = async (
    request: RFQRequest,
    { slot, verified, at, rfqId, key }: Admission & { rfqId: RfqId; key: AuctionKey | null },
  ): Promise<Outcome<{ followed: FollowedAuction; isReplayed: boolean }, OpenRefusal>> => {
    const series = await resolveSeries({ store, clock, sync }, request)
    if (!series.ok) return series
    const minNotional = await sizeRequest({ chain, store, limits }, request, series.value)
    if (!minNotional.ok) return minNotional
    const takerRecord = await readTakerRecord(request, verified)
    if (!takerRecord.ok) return takerRecord
    const halted = halts.rfqRejection(series.value)
    if (halted) return { ok: false, rejection: halted }
    // Refuse a late request, because its slot would expire before the auction ends.
    const isLate = clock.monotonic() - at > openingMs
    if (running.isDraining() || isLate) return { ok: false, rejection: { code: 'OVERLOADED' } }
    const facts = { minNotional: minNotional.value, takerVerified: verified !== null, takerRecord: takerRecord.value }
    const record = newRecord(rfqId, request, series.value, facts)
    const written = await running.open(record, key, slot)
    if (written === null) {
      // The auction is open, so it counts.
      slot.release()
      return { ok: false, rejection: { code: 'OVERLOADED' } }
    }
    if (written.opened) return { ok: true, value: { followed: written.auction.follow(), isReplayed: false } }
    const replayed = await replay(written.existing, key)
    return replayed.ok ? { ok: true, value: { followed: replayed.value, isReplayed: true } } : replayed
  }

  const newRecord = (
    rfqId: RfqId,
    request: RFQRequest,
    series: Series,
    facts: { minNotional: bigint; takerVerified: boolean; takerRecord: TakerRecord | null },
  ): AuctionRecord => {
    const { minNotional, takerVerified, takerRecord } = facts
    const openedAt = Math.floor(clock.now())
    const closesAt = openedAt + auctionDurationMs
    const rfq: RFQ = {
      rfqId,
      poolId: series.poolId,
      seriesKey: series.seriesKey,
      expiry: series.expiry,
      notional: request.notional,
      minNotional,
      // After the close, the borrower needs time to decide and to submit the transaction.
      minDeadline: BigInt(Math.ceil(closesAt / 1_000) + limits.minSecondsAfterClose),
      ...(request.maxVrtAmount === undefined ? {} : { maxVrtAmount: request.maxVrtAmount }),
      ...(request.taker === undefined ? {} : { taker: request.taker }),
      takerVerified,
      ...(takerRecord && { takerRecord }),
      openedAt,
      closesAt,
    }
    return { rfq, publicRfqId: publicRfqId(rfqId), backers: presence.countBackers(), quotes: [], close: null }
  }

  /** Returns the auction opened with the same key, or a refusal if the request is different. */
  const replay = async (existing: KeyedAuction, key: AuctionKey | null): Promise<OpenOutcome> => {
    if (existing.request !== key?.request) return { ok: false, rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } }
    const followed = await running.follow(existing.rfqId)
    return followed ? { ok: true, value: followed } : { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
  }

  const openWithKey = async (request: RFQRequest, requester: Requester, key: AuctionKey): Promise<OpenOutcome> => {
    // Look up the key first, because a repeated request must not use up a slot.
    const find = () => store.findAuctionByKey(key.key, clock.now() - keyLifetimeMs)
    const existing = await find()
    if (existing) return replay(existing, key)
    const outcome = await create(request, requester, key)
    if (outcome.ok || !isShared || !limitCodes.has(outcome.rejection.code)) return outcome
    // Another instance may be processing the same request and hold the slot.
    await new Promise<void>((resolve) => clock.after(rowDelayMs, resolve))
    const opened = await find()
    return opened ? replay(opened, key) : outcome
  }

  return async (request, requester) => {
    const { key: text } = requester
    const { notional, minNotional = notional } = request
    if (minNotional > notional) throw new InvalidInputError('must not be above notional.', { path: 'minNotional' })
    if (!storage.isWritable()) return { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
    try {
      if (text === undefined) return await create(request, requester, null)
      const key = hashKey(text, request)
      for (let known = answering.get(key.key); known; known = answering.get(key.key)) {
        if (known.request === key.request) return await known.outcome
        // If two different requests have the same key, the store determines which of them owns it.
        await known.outcome.catch(() => {})
      }
      const outcome = openWithKey(request, requester, key)
      answering.set(key.key, { request: key.request, outcome })
      return await outcome.finally(() => answering.delete(key.key))
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
      log.warn({ err: error }, 'failed to open an auction')
      return { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
    }
  }
}

function isUncounted(code: OpenRefusal['code']): boolean {
  return code === 'MARKET_HALTED' || isTemporary(code)
}

/**
 * Hashes a borrower's idempotency key and request. Only the key's hash is stored, because the key grants access to the
 * auction. The request's hash detects reuse of a key for a different request. The request's hash ignores field order
 * and the taker proof: the same request with a new proof is the same auction. No part of a proof is stored.
 */
export function hashKey(key: string, request: RFQRequest): AuctionKey {
  const { takerProof: _, ...terms } = request
  const sorted = Object.fromEntries(Object.entries(terms).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { key: sha256(`firmquote-key|${key}`), request: sha256(encodeJson(sorted)) }
}

function sha256(text: string): Hex {
  return bytesToHex(createHash('sha256').update(text).digest())
}

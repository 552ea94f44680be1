import { InvalidInputError, type RFQ, type RFQRequest, type TakerRecord } from '@firmquote/core'
import type { AuctionRecord } from '../../domain/auctionRecord.ts'
import { formatRfqId, publicRfqId, rfqIdBytes } from '../../domain/rfqIds.ts'
import type { TakerDebt } from '../../domain/takerDebt.ts'
import type { Series } from '../../ports/chain.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import { type AuctionKey, type KeyedAuction, keyLifetimeMs } from '../../ports/store.ts'
import type { Sync } from '../chain/sync.ts'
import type { AuctionHub, FollowedAuction, OpenRefusal, Outcome, Requester, StorageWatch } from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { hashKey } from './auctionKey.ts'
import type { BackerSessions } from './backerSessions.ts'
import { countsOf, createRequestLimiter, type Place } from './requestLimiter.ts'
import type { ReservedDebts } from './reservedDebts.ts'
import { resolveSeries } from './resolveSeries.ts'
import type { RunningAuctions } from './runningAuctions.ts'
import { sizeRequest } from './sizeRequest.ts'
import { createTakerProofs } from './takerProofs.ts'
import { createReadTakerRecord } from './takerRecords.ts'

type OpenOutcome = Outcome<FollowedAuction, OpenRefusal>
/** A place for an auction, and the debt of its taker that is verified for it; null for none. */
type Admission = Place & { verified: TakerDebt | null }

/** Opens auctions for borrowers, as many as the limits allow; a request that comes again with its key gets the same one. */
export function createAuctionOpener(
  deps: ServiceDeps,
  {
    sync,
    storage,
    sessions,
    running,
    debts,
  }: {
    sync: Pick<Sync, 'status' | 'cycle'>
    storage: Pick<StorageWatch, 'isWritable'>
    sessions: Pick<BackerSessions, 'count'>
    running: RunningAuctions
    debts: ReservedDebts
  },
): AuctionHub['open'] {
  const { chain, clock, store, random, limits, auctionDurationMs, log } = deps
  /** Requests with a key that are being answered: the same key at the same time is one request. */
  const answering = new Map<string, { request: string; outcome: Promise<OpenOutcome> }>()
  const limiter = createRequestLimiter(clock, limits)
  const proveTaker = createTakerProofs(deps)
  const readTakerRecord = createReadTakerRecord(deps)

  /**
   * Admits a request and reserves its taker's debt, in the turn in which it is called if there is no proof to check: simultaneous
   * requests cannot all be the last one admitted.
   */
  const admit = async (request: RFQRequest, requester: Requester): Promise<Outcome<Admission, OpenRefusal>> => {
    const acquire = (taker: TakerDebt | null): Outcome<Admission, OpenRefusal> => {
      const giveBack = taker && debts.reserve(taker, request.notional)
      const verified = giveBack === null ? null : taker
      const counts = countsOf(requester, verified?.taker ?? null, limits)
      const place = limiter.acquire(counts, { verified: verified !== null })
      if (!place.ok) {
        giveBack?.()
        return place
      }
      const release = () => {
        place.value.release()
        giveBack?.()
      }
      return { ok: true, value: { abandon: place.value.abandon, release, verified } }
    }
    if (request.takerProof === undefined) return acquire(null)
    const spent = limiter.spendProof(countsOf(requester, null, limits))
    if (!spent.ok) return spent
    const proven = await proveTaker(request, requester.audience ?? '')
    return proven.ok ? acquire(proven.value) : proven
  }

  const create = async (request: RFQRequest, requester: Requester, key: AuctionKey | null): Promise<OpenOutcome> => {
    if (running.isDraining()) return { ok: false, rejection: { code: 'OVERLOADED' } }
    const admission = await admit(request, requester)
    if (!admission.ok) return admission
    let opened = false
    try {
      const series = await resolveSeries({ store, clock, sync }, request)
      if (!series.ok) return series
      const minNotional = await sizeRequest({ chain, store, limits }, request, series.value)
      if (!minNotional.ok) return minNotional
      const { verified } = admission.value
      const takerRecord = await readTakerRecord(request, verified)
      if (!takerRecord.ok) return takerRecord
      if (running.isDraining()) return { ok: false, rejection: { code: 'OVERLOADED' } }
      const facts = { minNotional: minNotional.value, takerVerified: verified !== null, takerRecord: takerRecord.value }
      const record = newRecord(request, series.value, facts)
      const written = await running.open(record, key, admission.value)
      if (written === null) return { ok: false, rejection: { code: 'OVERLOADED' } }
      if (!written.opened) return await replay(written.existing, key)
      opened = true
      return { ok: true, value: written.auction.follow() }
    } finally {
      if (!opened) admission.value.release()
    }
  }

  const newRecord = (
    request: RFQRequest,
    series: Series,
    facts: { minNotional: bigint; takerVerified: boolean; takerRecord: TakerRecord | null },
  ): AuctionRecord => {
    const { minNotional, takerVerified, takerRecord } = facts
    const openedAt = Math.floor(clock.now())
    const closesAt = openedAt + auctionDurationMs
    const rfq: RFQ = {
      rfqId: formatRfqId(random(rfqIdBytes)),
      poolId: series.poolId,
      seriesKey: series.seriesKey,
      expiry: series.expiry,
      notional: request.notional,
      minNotional,
      // A borrower needs time after the close to decide and to submit.
      minDeadline: BigInt(Math.ceil(closesAt / 1_000) + limits.minSecondsAfterClose),
      ...(request.maxVrtAmount === undefined ? {} : { maxVrtAmount: request.maxVrtAmount }),
      ...(request.taker === undefined ? {} : { taker: request.taker }),
      takerVerified,
      ...(takerRecord && { takerRecord }),
      openedAt,
      closesAt,
    }
    return { rfq, publicRfqId: publicRfqId(rfq.rfqId), backers: sessions.count(), quotes: [], close: null }
  }

  /** The auction that was opened with the same key, unless something else was asked with it. */
  const replay = async (existing: KeyedAuction, key: AuctionKey | null): Promise<OpenOutcome> => {
    if (existing.request !== key?.request) return { ok: false, rejection: { code: 'IDEMPOTENCY_KEY_REUSED' } }
    const followed = await running.follow(existing.rfqId)
    return followed ? { ok: true, value: followed } : { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
  }

  const openWithKey = async (request: RFQRequest, requester: Requester, key: AuctionKey): Promise<OpenOutcome> => {
    // A request that was answered before takes no place among the open ones.
    const existing = await store.findAuctionByKey(key.key, clock.now() - keyLifetimeMs)
    if (existing) return replay(existing, key)
    return create(request, requester, key)
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
        // Which of two requests has the key is what the store says afterwards.
        await known.outcome.catch(() => {})
      }
      const outcome = openWithKey(request, requester, key)
      answering.set(key.key, { request: key.request, outcome })
      return await outcome.finally(() => answering.delete(key.key))
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
      log.warn({ err: error }, 'an auction could not be opened')
      return { ok: false, rejection: { code: 'STORAGE_UNAVAILABLE' } }
    }
  }
}

// The rules that every history must satisfy. The simulator reports events to the oracle, which reports violations. Most
// rules are in one file, because they read the same auctions, rows and answers.

import {
  type BlockRef,
  comparePrices,
  quoteEffectiveApy,
  type RFQRequest,
  type RFQResult,
  type RFQStreamEvent,
  type SignedQuote,
} from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import { decodeOrThrow, serverMessageShape } from '@firmquote/core/wire'
import type { Address, Hex } from 'viem'
import type { SubmissionVerdict } from '../../../apps/server/src/app/service.ts'
import type { AcceptedQuote, AuctionRecord } from '../../../apps/server/src/domain/auctionRecord.ts'
import type { QuoteRecord, StatusUpdateRecord, SyncedBlock } from '../../../apps/server/src/ports/store.ts'
import { bruteForceChoice } from '../../../packages/core/test/bruteForceChoice.ts'
import { healthySince, type Instance, unwritableSince } from './instanceState.ts'
import { epoch } from './life.ts'
import { auctionDurationMs, degradedSeconds, minSecondsAfterClose, staleSeconds } from './plan.ts'
import { borrower, type SimChain } from './simChain.ts'
import type { SimDatabase } from './simDatabase.ts'
import { simDigest } from './simSignatures.ts'
import type { Commit } from './simStore.ts'
import type { Timeline } from './timeline.ts'
import type { Trace } from './trace.ts'

/** A quote submitted to an instance. */
export type Submission = {
  id: number
  life: number
  instance: number
  backer: Address
  rfqId: string
  hash: Hex
  quote: SignedQuote
}

/** A quote's state, as read by an instance. `wall` is the local wall-clock time of that read, in Unix seconds. */
type GivenState = { block: BlockRef; isOld: boolean; wall: number }

/** Checks a history as it runs. */
export type Oracle = ReturnType<typeof createOracle>

/**
 * A listener's position in a stream. `next` is the number of the next event, and `since` is when the last event
 * arrived, in virtual milliseconds.
 */
export type StreamCursor = { rfqId: string; next: number; done: boolean; instance: number; since: number }

/** A connection that receives status updates. `next` is the highest sequence number that the next update may have. */
export type StatusCursor = { maker: Address; next: number }

/** A borrower's request and its answer. */
export type OpenAnswer = {
  key: string | null
  request: RFQRequest
  instance: number
  rfqId: string | null
  code: string | null
}

/** An accepted quote's row, the life that accepted the quote, and when it received it. */
export type KnownRow = AcceptedQuote & { life: number; handedAt: number | undefined; committedAt: number }

/** The oracle's record of an auction. */
export type KnownAuction = {
  record: Pick<AuctionRecord, 'rfq' | 'publicRfqId' | 'backers'>
  openedByLife: number
  /** When the auction's row was committed, possibly after the writing process ended. */
  writtenAt: number
  /** The promised close, in virtual milliseconds. */
  deadline: number
  rows: KnownRow[]
  closed: { at: number; closedAt: number; rejectedCount: number; interrupted: boolean } | null
  started: boolean
  /**
   * Largest difference between the opener's clock and any other wall clock since the auction opened, in milliseconds.
   */
  skew: number
  /** The error of the opener's clock when the auction opened, in milliseconds. */
  openedOff: number
}

/** Maximum delay before a healthy instance closes an auction, in milliseconds. */
const closeMargins = { alone: 600, others: 3_500 }
/** Quotes that arrive within this many milliseconds of each other may be accepted in either order. */
const arrivalToleranceMs = 25
/**
 * Maximum delay from a commit until a healthy instance streams the event, in milliseconds. If hints are lost, the
 * second poll finds the event.
 */
const eventMs = 2_500
/**
 * Maximum delay until a healthy instance sends an auction to a backer, in milliseconds. The delay starts when the row
 * is committed or the backer joins, whichever is later. If hints are lost, the next poll finds the auction.
 */
const rfqMs = 1_500
/** Milliseconds after an auction's end by which the log must have its close, unless an outage lasts longer. */
const promiseMs = 61_000
/** Clocks count as equal if they differ by less than this, in milliseconds. */
const exactMs = 50
/** Maximum time that a fault's effects outlast it, in milliseconds. */
const recoveryMs = 2_000
/**
 * Maximum age of an instance's count of remote backers, in milliseconds. The other instances detect a lost instance
 * within this time.
 */
const presenceMs = 8_000
/** A clock that is more than this many seconds behind the chain is rejected. */
const mostBehindSeconds = 30
/** Deadline for redirecting clients, in milliseconds: two seconds plus the time to detect the failure. */
const sentElsewhereMs = 3_500
/** Maximum time that a healthy instance takes to answer a quote, in milliseconds. */
const answerMs = 15_000

/**
 * Creates an oracle. The oracle finds the best quotes by exhaustive search, sharing only the price comparison with the
 * code under test.
 */
export function createOracle({
  timeline,
  trace,
  chain,
  instances,
}: {
  timeline: Timeline
  trace: Trace
  chain: SimChain
  instances: readonly Instance[]
}) {
  const violations: string[] = []
  const auctions = new Map<string, KnownAuction>()
  const bySecret = new Map<string, KnownAuction>()
  const states = new Map<string, GivenState>()
  /** When an instance last rejected each signature because it was overloaded, in virtual milliseconds. */
  const overloads = new Map<string, number>()
  const handedIn = new Map<string, number>()
  const waiting = new Map<number, { submission: Submission; since: number }>()
  const answers = new Map<string, Set<string>>()
  const requests = new Map<string, { rfqId: string; body: string }>()
  const results = new Map<string, string>()
  const keys = new Set<Hex>()
  const listeners = new Set<StreamCursor>()
  const sessions: Session[] = []
  /** Hashes of quotes that the database stored or rejected. */
  const written = new Set<Hex>()
  /** Status updates sent to makers, by maker and number. */
  const sent = new Map<string, StatusUpdateRecord>()
  /** The committed sync cursor. */
  let cursor: string | null = null
  /** The chain-following lease: its holder and expiry, in virtual milliseconds. */
  let lease: { holder: string; until: number } | null = null

  const violation = (text: string) => {
    trace.note('VIOLATION', text)
    violations.push(`at ${(timeline.now() / 1000).toFixed(3)} s: ${text}`)
  }
  /** Reports a violation for each key whose value is true. */
  const report = (about: string, broken: Record<string, boolean>) => {
    for (const [rule, isBroken] of Object.entries(broken)) if (isBroken) violation(`${about} ${rule}`)
  }
  const short = (id: string) => id.slice(0, 8)
  /** Virtual time in milliseconds when an instance last became healthy; infinity while it has a fault. */
  const wellSince = (instance: number) => healthySince(instances[instance]) ?? Number.POSITIVE_INFINITY
  const wallOf = (instance: number) => epoch + timeline.now() + (instances[instance]?.wall.offset ?? 0)

  const ranked = (rows: readonly AcceptedQuote[]) =>
    [...rows].sort((a, b) => comparePrices(a.quote, b.quote) || a.arrival - b.arrival || a.seq - b.seq)

  const bestOf = ({ record, rows }: KnownAuction) => {
    const counted = rows.filter(({ unproven }) => !unproven).map(({ hash, quote }) => ({ ...quote, hash }))
    const { notional, maxVrtAmount } = record.rfq
    const best = bruteForceChoice(counted, { notional, ...(maxVrtAmount !== undefined && { maxVrtAmount }) })
    const byRate = best.quotes.sort((a, b) => comparePrices(a, b) || (a.hash < b.hash ? -1 : 1))
    return { hashes: byRate.map(({ hash }) => hash), notional: best.notional, cost: best.cost }
  }

  const collected = ({ rfq }: KnownAuction['record'], { hash, quote, apr, receivedAt }: AcceptedQuote) => {
    const at = Math.min(Math.floor(receivedAt / 1_000), rfq.expiry - 1)
    return { hash, quote, apr, effectiveApy: quoteEffectiveApy(quote, rfq.expiry, at), receivedAt }
  }

  const resultOf = (auction: KnownAuction) => {
    const { record, rows, closed } = auction
    return {
      ...record.rfq,
      status: closed ? 'closed' : 'open',
      ...(closed && { closedAt: closed.closedAt }),
      backers: record.backers,
      ...(closed && { rejectedCount: closed.rejectedCount }),
      ...(closed?.interrupted && { interrupted: true }),
      ...(closed && { best: bestOf(auction) }),
      quotes: ranked(rows).map((row) => collected(record, row)),
    }
  }

  const eventAt = (auction: KnownAuction, seq: number): unknown => {
    const { record, rows, closed } = auction
    const { rfq, backers } = record
    const id = `${rfq.rfqId}:${seq}`
    if (seq === 0) return { type: 'started', id, data: { ...rfq, backers } }
    const row = rows[seq - 1]
    if (row) return { type: 'quote', id, data: collected(record, row) }
    if (!closed || seq !== rows.length + 1) return null
    const { closedAt, rejectedCount, interrupted } = closed
    return {
      type: 'done',
      id,
      data: {
        rfqId: rfq.rfqId,
        closedAt,
        quoteCount: rows.length,
        rejectedCount,
        ...(interrupted && { interrupted: true }),
        best: bestOf(auction),
        ranking: ranked(rows).map(({ hash }) => hash),
      },
    }
  }

  /**
   * Checks that a quote was executable at the block at which it was checked, and that this block was not behind the
   * synced block.
   */
  const checkTaken = (instance: number, hash: Hex, quote: SignedQuote, by: string) => {
    const state = states.get(`${instance} ${hash}`)
    if (!state) return violation(`${by} accepted ${short(hash)} without reading its state`)
    const { block, isOld, wall } = state
    const refusal = chain.refusalAt(block.hash, quote)
    if (refusal) violation(`${by} accepted ${short(hash)}, which block ${block.number} rejects: ${refusal}`)
    if (isOld) violation(`${by} accepted ${short(hash)} based on a state older than the synced block`)
    if (wall - Number(block.timestamp) > staleSeconds + 1)
      violation(`${by} accepted ${short(hash)} based on a stale block`)
  }

  /**
   * Records how far wall clocks may shift an auction's end. A single process uses its monotonic clock, so its skew is
   * zero.
   */
  const noteSkew = (auction: KnownAuction) => {
    const off = Math.max(0, ...instances.map(({ wall }) => Math.abs(wall.offset)))
    auction.skew = Math.max(auction.skew, auction.openedOff + off)
  }

  const skewOf = ({ openedByLife, skew }: KnownAuction, life: number) =>
    instances.length === 1 && openedByLife === life ? 0 : skew

  const accepted = (auction: KnownAuction, { life, instance, calledAt, given: [quote, at], outcome }: AcceptCommit) => {
    const id = short(auction.record.publicRfqId)
    if (outcome.status !== 'accepted') return
    const known = auction.rows.find(({ hash }) => hash === quote.hash)
    if (known) {
      if (known.seq !== outcome.seq || known.receivedAt !== outcome.receivedAt) {
        violation(`auction ${id} accepted ${short(quote.hash)} again with a different number or time`)
      }
      return
    }
    trace.note('row', `${id} ${outcome.seq} ${short(quote.hash)}`)
    const { rfq } = auction.record
    const { maker, poolId, seriesKey, notional, vrtAmount, taker, deadline } = quote.quote
    const handedAt = handedIn.get(`${auction.record.publicRfqId} ${quote.hash} ${maker} ${life}`)
    report(`auction ${id}`, {
      'has a new row after its close': auction.closed !== null,
      'was given a quote after its deadline': calledAt > auction.deadline + skewOf(auction, life) + 20,
      'took a quote after its end': at >= rfq.closesAt,
      [`has row ${outcome.seq} after ${auction.rows.length}`]: outcome.seq !== auction.rows.length + 1,
      [`has two quotes of ${short(maker)}`]: auction.rows.some((row) => row.quote.maker === maker),
      "has a row with another quote's hash": simDigest(quote.quote) !== quote.hash,
      'took a quote for another series': poolId !== rfq.poolId || seriesKey !== rfq.seriesKey,
      'took a quote above its notional': notional > rfq.notional,
      'took a quote below its minimum notional': notional < (rfq.minNotional ?? Number.POSITIVE_INFINITY),
      'took a quote that ends too soon after the auction':
        deadline < BigInt(Math.ceil(rfq.closesAt / 1_000) + minSecondsAfterClose),
      'took a quote above its limit': rfq.maxVrtAmount !== undefined && vrtAmount > rfq.maxVrtAmount,
      'took a quote for another taker': BigInt(taker) !== 0n && taker !== rfq.taker,
      [`has a row that no backer submitted to instance ${instance}`]: handedAt === undefined,
    })
    const readyTo = wellSince(instance)
    for (const earlier of auction.rows) {
      // If an instance must first read the auction's row, another quote may overtake its quote.
      const isKnownThere = life === auction.openedByLife
      if (!isKnownThere && !(readyTo <= Math.min(earlier.handedAt ?? 0, handedAt ?? 0))) continue
      // If the same life received both quotes, their arrival times must be in the same order.
      if (earlier.life !== life || earlier.handedAt === undefined || handedAt === undefined) continue
      if (!(Math.abs(earlier.handedAt - handedAt) >= arrivalToleranceMs)) continue
      if (earlier.handedAt < handedAt !== earlier.arrival < quote.arrival) {
        violation(`auction ${id} records arrivals in a different order than its backers sent them`)
      }
    }
    checkTaken(instance, quote.hash, quote.quote, `auction ${id}`)
    auction.rows.push({ ...quote, seq: outcome.seq, life, handedAt, committedAt: timeline.now() })
  }

  const closed = (auction: KnownAuction, { life, instance, given: [given], outcome }: CloseCommit) => {
    if (outcome === null) return
    const id = short(auction.record.publicRfqId)
    const { close, quotes } = outcome.auction
    noteUps()
    if (close === null) return violation(`auction ${id} was closed but is still open`)
    if ((given.knownCount ?? 0) + quotes.length !== auction.rows.length)
      violation(`the close of auction ${id} returned ${quotes.length} of ${auction.rows.length} rows`)
    if (!outcome.closedNow) {
      if (!auction.closed) violation(`auction ${id} is closed, but no close was committed`)
      return
    }
    if (auction.closed) violation(`auction ${id} was closed twice`)
    const now = timeline.now()
    if (now < auction.deadline - skewOf(auction, life) - 20) violation(`auction ${id} was closed early`)
    if (close.closedAt < auction.record.rfq.closesAt) violation(`auction ${id} has closed before it ends`)
    if (now - auction.deadline >= promiseMs) trace.note('outage past mergeBy')
    trace.note(close.interrupted ? 'closed late' : 'closed', `${id} ${(now - auction.deadline).toFixed(1)}`)
    if (given.rejectedCount !== close.rejectedCount)
      violation(`auction ${id} was closed with a wrong count of rejected quotes`)
    // With several instances, one that has just started cannot tell whether others were running.
    const margin = auction.skew + 300
    const upAtEnd = ups.some(({ from, to }) => from <= auction.deadline + margin && to >= auction.deadline - margin)
    const readySince = instances[instance]?.readySince ?? null
    if (close.interrupted && readySince !== null && readySince < auction.deadline - margin && instances.length === 1) {
      violation(`auction ${id} is marked as interrupted, but its instance was running when it ended`)
    }
    if (!close.interrupted && !upAtEnd)
      violation(`auction ${id} was closed after a stop without being marked as interrupted`)
    auction.closed = { at: now, ...close }
  }
  /** Checks that a healthy instance counts each connected backer exactly once, and no backer that left long ago. */
  const checkPresence = (instance: number, counted: number) => {
    const longAgo = timeline.now() - presenceMs
    const isLongWell = (number: number) => wellSince(number) < longAgo
    if (!isLongWell(instance)) return
    const lately = sessions.filter(({ to }) => to > longAgo)
    const distinct = (some: readonly Session[]) => new Set(some.map(({ backer }) => backer)).size
    const steady = lately.filter((one) => one.from < longAgo && one.to > timeline.now() && isLongWell(one.instance))
    // A backer that has just moved may still be counted on its previous instance.
    const most = distinct(lately) + lately.filter(({ from }) => from > longAgo).length
    if (counted > most) violation(`${counted} backers were counted, but at most ${most} were connected`)
    if (counted < distinct(steady)) violation(`${counted} backers were counted, but ${distinct(steady)} were connected`)
    trace.note('presence checked')
  }

  /** A cursor move must start from the current cursor. Repeating it has no effect. */
  const moved = (from: SyncedBlock | null, to: SyncedBlock | null) => {
    const [before, after] = [from, to].map((block) => block && `${block.number} ${block.hash}`)
    if (cursor !== before && cursor !== after) violation(`the cursor was moved from a block other than its current one`)
    cursor = after ?? null
  }

  /**
   * The lease must be granted if and only if no other instance holds it. If there are several instances, they use the
   * database's clock.
   */
  const leased = (holder: string, milliseconds: number, given: boolean) => {
    if (instances.length === 1) return
    const isFree = lease === null || lease.holder === holder || lease.until <= timeline.now()
    if (given && !isFree) violation('the lease was granted while another instance held it')
    if (!given && isFree) violation('the lease was refused while it was free')
    trace.note(given ? 'lease given' : 'lease refused')
    if (given) lease = { holder, until: timeline.now() + milliseconds }
  }

  const noteComing = ({ hash, quote }: { hash: Hex; quote: SignedQuote }) => {
    written.add(hash)
    const { ended, nonces } = chain.endingsAt(chain.head().hash)
    if (ended.has(hash) || (nonces.get(quote.maker) ?? 0n) > quote.nonce) trace.note('quote after its end')
  }

  /**
   * The block and transaction that ended a quote, and the position if it was filled. In a transaction, the position's
   * opening immediately precedes the fill.
   */
  const endOf = (hash: Hex) => {
    for (let number = chain.head().number; number > 0n; number -= 1n) {
      const events = chain.blockAt(number)?.events ?? []
      const index = events.findIndex(({ fact }) => fact.type === 'quoteEnded' && fact.hash === hash)
      const [opened, end] = [events[index - 1]?.fact, events[index]]
      if (end?.fact.type !== 'quoteEnded') continue
      const facts = { block: Number(number), transactionHash: end.transactionHash }
      if (end.fact.status !== 'filled' || opened?.type !== 'positionOpened') return facts
      const { positionId, notional, cost } = opened
      return { ...facts, positionId, notional, cost, taker: borrower }
    }
    return null
  }

  /** Periods during which instances were ready. */
  const ups: Up[] = []
  const latestUps: Up[] = []
  const noteUps = () => {
    for (const [index, instance] of instances.entries()) {
      const since = instance.readySince
      if (since === null) continue
      const latest = latestUps[index]
      if (latest?.from === since) latest.to = timeline.now()
      else {
        const up = { from: since, to: timeline.now() }
        latestUps[index] = up
        ups.push(up)
      }
    }
  }

  /**
   * Resets a quote's arrival time. After a rejection, the next submission counts as a new arrival. After an unknown
   * outcome, the arrival time may be either submission's.
   */
  const forgetArrival = (submission: Submission, isUnknown: boolean) => {
    const key = handedKey(submission)
    const isWaiting = [...waiting.values()].some((other) => handedKey(other.submission) === key)
    if (isUnknown || isWaiting) handedIn.set(key, Number.NaN)
    else handedIn.delete(key)
  }

  /** Checks an instance's sync state and each published quote's status against the chain. */
  const checkSynced = (synced: SyncedBlock | null, quotes: readonly QuoteRecord[]) => {
    const { number, hash } = chain.head()
    if (!synced || synced.number < number - 3n) return violation('the chain is not synced at the end')
    if (chain.blockAt(synced.number)?.hash !== synced.hash) return violation('another chain is synced at the end')
    const { ended, nonces } = chain.endingsAt(synced.hash)
    for (const { hash: quoteHash, status, quote } of quotes) {
      const raised = (nonces.get(quote.maker) ?? 0n) > quote.nonce ? 'nonce_raised' : 'active'
      const expected = ended.get(quoteHash) ?? raised
      if (status !== expected)
        violation(`${short(quoteHash)} is ${status} at the end, but the chain says ${expected} (${short(hash)})`)
    }
  }

  /**
   * Checks each maker's status updates. Every sequence number must occur once, and its update must be sent as stored
   * and agree with the chain.
   */
  const checkStatuses = (quotes: readonly QuoteRecord[], database: SimDatabase) => {
    const standing = new Map<Hex, StatusUpdateRecord>()
    for (const maker of new Set(quotes.map(({ quote }) => quote.maker))) {
      for (const [index, row] of database.listStatuses(maker, { after: 0, limit: 10_000 }).statuses.entries()) {
        if (row.seq !== index + 1) violation(`the status updates of ${short(maker)} have a gap`)
        if (!sameJson(sent.get(`${maker} ${row.seq}`), row))
          violation(`status ${row.seq} of ${short(maker)} was not sent as stored`)
        if (row.status === 'active' && !standing.has(row.hash)) violation(`${short(row.hash)} was first sent as active`)
        standing.set(row.hash, row)
        trace.note(`status ${row.final ? 'final' : row.status}`)
      }
    }
    const { timestamp } = chain.head()
    const finalized = Number(chain.finalized().number)
    for (const { hash, status, quote } of quotes) {
      const told = standing.get(hash)
      // Raising the nonce after the deadline produces no update.
      const isUnreported = status === 'nonce_raised' && quote.deadline < timestamp
      if ((told?.status ?? 'active') !== status && !((told?.status ?? 'active') === 'active' && isUnreported))
        violation(`${short(hash)} is ${status} at the end, but its maker last received ${told?.status}`)
      if (!told || told.status === 'active') continue
      if (told.final !== told.block <= finalized)
        violation(
          `the end of ${short(hash)} is sent as ${told.final ? '' : 'not '}final, but the finalized block is ${finalized}`,
        )
      const facts = endOf(hash)
      if (facts && !sameJson({ ...told, ...facts }, told))
        violation(`the end of ${short(hash)} is sent with wrong details`)
    }
  }

  return {
    violations: violations as readonly string[],
    violation,
    report,
    auctions: auctions as ReadonlyMap<string, KnownAuction>,

    committed(commit: Commit) {
      switch (commit.method) {
        case 'insertQuote':
          noteComing(commit.given[0])
          break
        case 'openAuction': {
          const [{ rfq, publicRfqId, backers, key }] = commit.given
          if (!commit.outcome.opened || auctions.has(publicRfqId)) return
          trace.note('opened', short(publicRfqId))
          if (key !== null && keys.has(key.key)) violation('a key has two auctions')
          if (key !== null) keys.add(key.key)
          const auction: KnownAuction = {
            record: { rfq, publicRfqId, backers },
            openedByLife: commit.isAnswered ? commit.life : -1,
            writtenAt: timeline.now(),
            deadline: commit.calledAt + auctionDurationMs,
            rows: [],
            closed: null,
            started: false,
            // The row contains the opener's time, even if it is committed late.
            openedOff: Math.abs(rfq.openedAt - epoch - commit.calledAt),
            skew: 0,
          }
          noteSkew(auction)
          checkPresence(commit.instance, backers)
          auctions.set(publicRfqId, auction)
          bySecret.set(rfq.rfqId, auction)
          break
        }
        case 'acceptQuote': {
          const auction = auctions.get(commit.given[0].publicRfqId)
          noteComing(commit.given[0])
          if (auction) accepted(auction, commit)
          break
        }
        case 'closeAuction': {
          const auction = auctions.get(commit.given[0].publicRfqId)
          if (auction) closed(auction, commit)
          break
        }
        case 'applyBlocks':
          moved(commit.given[0].after, commit.given[0].cursor)
          break
        case 'holdLease':
          leased(commit.given[0], commit.given[1], commit.outcome)
          break
        case 'rollBack':
          moved(commit.given[0].from, commit.given[0].to)
          break
      }
    },

    /** An instance's process ends. It may have been ready for less than the interval between two checks. */
    ends: noteUps,

    /** A clock was set. An error that lasts less than the interval between two checks counts, too. */
    clockSet() {
      const open = [...auctions.values()].filter(({ closed }) => !closed)
      for (const auction of open) noteSkew(auction)
      if (open.length > 0) trace.note('clock jump during an open auction')
    },

    /** An instance received a quote's state. */
    stateGiven(instance: number, hash: Hex, block: BlockRef) {
      const synced = instances[instance]?.process?.service.sync.status().synced ?? null
      const isOld =
        synced !== null &&
        (block.number < synced.number || (block.number === synced.number && block.hash !== synced.hash))
      const given = { block, isOld, wall: wallOf(instance) / 1000 }
      states.set(`${instance} ${hash}`, given)
      states.set(`${instance} ${hash} ${block.hash}`, given)
    },

    /** An instance listed a quote as executable at a block. */
    listed(instance: number, hash: Hex, quote: SignedQuote, block: Hex | undefined) {
      const state = states.get(`${instance} ${hash} ${block}`)
      if (!block || !state)
        return violation(`${short(hash)} is listed as executable at a block at which it was not read`)
      const refusal = chain.refusalAt(block, quote)
      if (refusal) violation(`${short(hash)} is listed as executable, but its block rejects it: ${refusal}`)
      if (state.isOld) violation(`${short(hash)} is listed as executable based on a state older than the synced block`)
    },

    /** An instance published an observation of an auction's accepted quote. */
    observed(publicRfqId: string, hash: Hex) {
      const auction = auctions.get(publicRfqId)
      if (!auction?.closed) return violation(`an observation of ${short(publicRfqId)} was shown before its close`)
      if (!auction.rows.some((row) => row.hash === hash))
        violation(`an observation of ${short(publicRfqId)} has no row`)
    },

    /** An instance added a published quote to its book. */
    published(instance: number, hash: Hex, quote: SignedQuote) {
      checkTaken(instance, hash, quote, 'the book')
    },

    /** An instance rejected a quote's signature because it was overloaded. */
    overloaded(instance: number, hash: Hex) {
      overloads.set(`${instance} ${hash}`, timeline.now())
    },

    /**
     * A backer joined an instance. `rfqIds` are the public ids of the auctions that the backer receives on that
     * instance.
     */
    joined(backer: Address, instance: number, rfqIds: readonly string[]) {
      const heard = new Set(rfqIds)
      const session = { backer, instance, heard, from: timeline.now(), to: Number.POSITIVE_INFINITY }
      sessions.push(session)
      return {
        heard: (rfqId: string) => void heard.add(rfqId),
        gone() {
          session.to = Math.min(session.to, timeline.now())
        },
      }
    },

    submitted(submission: Submission) {
      const key = handedKey(submission)
      const before = handedIn.get(key)
      const healthy = wellSince(submission.instance)
      // An earlier quote may still be waiting to lock the auction's row, so this quote may overtake it.
      if (before === undefined) handedIn.set(key, timeline.now())
      else if (healthy > before) handedIn.set(key, Number.NaN)
      waiting.set(submission.id, { submission, since: timeline.now() })
    },

    /** The request failed, or the instance ended before answering. */
    unanswered(submission: Submission, lost: boolean) {
      waiting.delete(submission.id)
      if (!lost) forgetArrival(submission, false)
      const group = `${submission.rfqId} ${submission.hash} ${submission.backer}`
      answers.set(group, (answers.get(group) ?? new Set()).add('unanswered'))
    },

    answered(submission: Submission, verdict: SubmissionVerdict) {
      const { rfqId, hash, backer } = submission
      const known = waiting.get(submission.id)
      waiting.delete(submission.id)
      const auction = auctions.get(rfqId)
      const what = verdict.ok ? 'accepted' : verdict.rejection.code
      trace.note(`quote ${what}`, `${submission.id} ${short(rfqId)} ${short(hash)}`)
      if (!known) return violation(`quote ${short(hash)} was answered twice`)
      const group = `${rfqId} ${hash} ${backer}`
      answers.set(group, (answers.get(group) ?? new Set()).add(what))
      const row = auction?.rows.find((one) => one.hash === hash && one.quote.maker === backer)
      const own = auction?.rows.find(({ quote }) => quote.maker === backer)
      const about = `${short(hash)} of auction ${short(rfqId)}`
      if (verdict.ok) {
        if (!row) violation(`${about} was acknowledged but is not in the rows`)
        else if (row.receivedAt !== verdict.value.receivedAt) violation(`${about} was acknowledged with the wrong time`)
        if (verdict.value.hash !== hash) violation(`${about} was acknowledged with the wrong hash`)
        return
      }
      const { rejection } = verdict
      const wellFor = known.since - wellSince(submission.instance)
      if (!row) forgetArrival(submission, rejection.code === 'OUTCOME_UNKNOWN')
      const { code } = rejection
      const isBusy = (overloads.get(`${submission.instance} ${hash}`) ?? -1) >= known.since
      const isEarly = !auction?.closed && timeline.now() < (auction?.deadline ?? 0) - (auction?.skew ?? 0) - 20
      report(`${about} was rejected`, {
        'as a chain failure, but signature verification was overloaded':
          code === 'CHAIN_UNAVAILABLE' && wellFor > 1_000 && isBusy,
        'as a storage failure, but the database is healthy': code === 'STORAGE_UNAVAILABLE' && wellFor > 5_000,
        'as too late while the auction was open': code === 'AUCTION_CLOSED' && isEarly,
        'as too late, but there was no such auction': code === 'AUCTION_CLOSED' && !auction,
        'as unknown': code === 'RFQ_NOT_FOUND' && auction !== undefined,
      })
      if (code === 'ALREADY_QUOTED')
        report(`${about} was rejected`, {
          'because of another quote that is not in the rows': rejection.hash != null && own?.hash !== rejection.hash,
          'as a second quote, but it is the first': rejection.hash === hash,
        })
      // These codes do not reveal whether the quote has a row.
      if (['OUTCOME_UNKNOWN', 'ALREADY_QUOTED', 'RFQ_NOT_FOUND'].includes(code)) return
      // Two instances that judge the same quote concurrently may disagree, unless the row was committed before the
      // submission.
      if (row && (row.life === submission.life || row.committedAt <= known.since)) {
        violation(`${about} was rejected with ${rejection.code} but is in the rows`)
      }
    },

    /** An instance promised an auction to a borrower. */
    started(rfqId: string) {
      const auction = bySecret.get(rfqId)
      if (!auction) return violation(`auction ${short(rfqId)} was promised but is not in the rows`)
      auction.started = true
    },

    openAnswered({ key, request, rfqId, code, instance }: OpenAnswer) {
      trace.note(rfqId ? 'open answered' : `open refused ${code}`, `${instance} ${short(rfqId ?? '')}`)
      const body = encodeJson(request)
      const auction = rfqId === null ? null : bySecret.get(rfqId)
      if (auction) {
        const { rfq } = auction.record
        if (rfq.notional !== request.notional || rfq.poolId !== request.poolId) {
          violation(`auction ${short(rfq.rfqId)} has a different pool or series than requested`)
        }
        if (rfq.maxVrtAmount !== request.maxVrtAmount || rfq.taker !== request.taker) {
          violation(`auction ${short(rfq.rfqId)} has different terms than requested`)
        }
      }
      if (key === null) return
      const known = requests.get(key)
      if (rfqId !== null) {
        if (known && known.rfqId !== rfqId) violation(`the same key opened two auctions`)
        if (known && known.body !== body)
          violation(`a request with a reused key but a different body was answered with the key's auction`)
        requests.set(key, known ?? { rfqId, body })
      } else if (
        // Within one process, a request detects another concurrent request. Another instance may not yet see the first
        // request's slot in the database.
        instances.length === 1 &&
        known?.body === body &&
        (code === 'RATE_LIMITED' || code === 'TOO_MANY_OPEN')
      ) {
        violation(`a repeated request was rejected with ${code}`)
      }
      if (code === 'IDEMPOTENCY_KEY_REUSED' && known && known.body === body) {
        violation('a repeated request was rejected as a different request')
      }
    },

    result(rfqId: string, result: RFQResult | null, where: string) {
      const auction = bySecret.get(rfqId)
      if (!auction) {
        if (result !== null) violation(`a guessed id returned an auction's result (${where})`)
        return
      }
      const id = short(auction.record.publicRfqId)
      if (result === null) {
        if (auction.started) violation(`auction ${id} has no result (${where})`)
        return
      }
      if (result.status !== 'closed') {
        const known = new Set(auction.rows.map(({ hash }) => hash))
        const order = ranked(auction.rows.filter(({ hash }) => result.quotes.some((quote) => quote.hash === hash)))
        report(`the result of ${id}`, {
          'has a quote without a row': result.quotes.some(({ hash }) => !known.has(hash)),
          'has a best choice before its close': result.best !== undefined,
          'is ranked wrongly': order.some(({ hash }, index) => result.quotes[index]?.hash !== hash),
        })
        return
      }
      if (!auction.closed) return violation(`the result of ${id} is closed, but its row is not`)
      // Only the quotes' statuses follow the chain.
      const lasting = { ...result, quotes: result.quotes.map(({ status: _, ...quote }) => quote) }
      const text = encodeJson(lasting)
      const before = results.get(rfqId)
      if (before !== undefined && before !== text) violation(`the result of ${id} has changed (${where})`)
      if (before === undefined && !sameJson(lasting, resultOf(auction))) {
        violation(`the result of ${id} does not follow from its rows (${where})`)
      }
      results.set(rfqId, text)
    },

    /** Follows an auction until the returned function is called. */
    followed(place: StreamCursor) {
      listeners.add(place)
      return () => void listeners.delete(place)
    },

    /** Checks one event against the listener's previous events and returns its position. */
    streamed(place: StreamCursor, event: RFQStreamEvent) {
      if (event.type === 'error') return
      const auction = bySecret.get(place.rfqId)
      if (!auction) return violation('an event belongs to an auction that does not exist')
      const id = short(auction.record.publicRfqId)
      const expected = `${place.rfqId}:${place.next}`
      if (event.id !== expected)
        violation(`the stream of ${id} continued with ${event.id.slice(33)} instead of ${place.next}`)
      else if (!sameJson(event, eventAt(auction, place.next))) {
        violation(`event ${place.next} of ${id} does not follow from its rows`)
      }
      place.next += 1
      if (event.type === 'done') place.done = true
    },

    /** A stopping instance reported that all its work is done. */
    drained(life: number) {
      for (const { openedByLife, closed: close, record } of auctions.values()) {
        if (openedByLife === life && !close)
          violation(`auction ${short(record.publicRfqId)} was left open by a graceful shutdown`)
      }
    },

    /** An instance sends a message to a maker's session. */
    statusSent(place: StatusCursor, frame: string) {
      const message = decodeOrThrow(serverMessageShape, JSON.parse(frame), 'A frame to a maker')
      if (message.type !== 'quote_status') return
      const { type: _, ...status } = message
      const { seq } = status
      if (seq > place.next) violation(`status ${seq} of ${short(place.maker)} was sent before ${place.next}`)
      place.next = Math.max(place.next, seq + 1)
      const before = sent.get(`${place.maker} ${seq}`)
      if (before && !sameJson(before, status))
        violation(`status ${seq} of ${short(place.maker)} was sent twice with different content`)
      sent.set(`${place.maker} ${seq}`, status)
    },

    outcomeReceived(backer: Address, { rfqId, own, outcome, quoteCount }: OutcomeFrame) {
      const auction = auctions.get(rfqId)
      if (!auction?.closed) return violation(`the outcome of ${short(rfqId)} was sent before its close`)
      if (quoteCount !== auction.rows.length) violation(`the outcome of ${short(rfqId)} has the wrong number of quotes`)
      const rank = ranked(auction.rows).findIndex(({ quote }) => quote.maker === backer)
      const hash = ranked(auction.rows)[rank]?.hash
      // If a backer's quotes have no row, only the instance that judged or rejected them reports their outcome.
      const expected =
        rank === 0 ? ['best'] : rank > 0 ? [rank < 5 ? 'close' : 'beaten'] : ['late', 'rejected', undefined]
      if (own?.hash !== hash || !expected.includes(outcome)) {
        violation(`a backer received the wrong outcome for its quote in ${short(rfqId)}`)
      }
    },

    /** Checks the rules that always apply. */
    check() {
      noteUps()
      const now = timeline.now()
      for (const [index, instance] of instances.entries()) {
        const sync = instance.process?.service.sync.status()
        const newest = sync?.synced ?? sync?.head
        if (sync && newest && sync.state !== 'starting') {
          const age = Math.floor(wallOf(index) / 1000) - Number(newest.timestamp)
          const isDegraded = age > degradedSeconds || age < -mostBehindSeconds || sync.failing
          const state = age > staleSeconds ? 'stale' : isDegraded ? 'degraded' : 'ok'
          if (sync.state !== state)
            violation(`instance ${index} reports ${sync.state} for a block that is ${age} s old`)
        }
        const unwritableMs = now - (unwritableSince(instance) ?? now)
        if (unwritableMs > sentElsewhereMs)
          violation(`instance ${index} could not write for ${unwritableMs} ms but has not redirected its clients`)
      }
      for (const auction of auctions.values()) {
        if (auction.closed) continue
        noteSkew(auction)
        for (const [index, instance] of instances.entries()) {
          const since = healthySince(instance)
          if (since === null) continue
          const sameLife = instance.process?.life.id === auction.openedByLife
          const isAlone = instances.length === 1
          // An instance already running when the auction's row was committed finds the auction by polling. An instance
          // that starts later restores the auction at startup.
          const isResumed = isAlone && (instance.readySince ?? 0) > auction.writtenAt + 100
          // If the database's clock decides, an instance whose clock is ahead must retry until the auction ends.
          const isExact = (sameLife || isResumed) && (isAlone || auction.skew < exactMs)
          const margin = isExact ? closeMargins.alone : closeMargins.others
          const skewed = isAlone && sameLife ? 0 : auction.skew
          // After a fault, the next attempt to close the auction is delayed.
          const isRecovering = since > (instance.readySince ?? 0)
          const due = Math.max(auction.deadline + skewed, since + (isRecovering ? recoveryMs : 0)) + margin
          if (now > due)
            violation(`auction ${short(auction.record.publicRfqId)} was not closed in time by instance ${index}`)
        }
      }
      for (const { rfqId, next, done, instance, since } of listeners) {
        const healthy = wellSince(instance)
        const auction = bySecret.get(rfqId)
        if (done || !auction) continue
        // The next event is either an accepted quote or the close.
        const event = auction.rows[next - 1]?.committedAt ?? auction.closed?.at ?? now
        if (now - Math.max(event, since, healthy + recoveryMs) > eventMs)
          violation(
            `event ${next} of ${short(auction.record.publicRfqId)} was not sent in time by instance ${instance}`,
          )
      }
      for (const { record, writtenAt, closed, skew: skewed } of auctions.values()) {
        const { rfq, publicRfqId } = record
        // By a fast clock, the auction has already ended. By its opener's clock, it may last longer than it is retained.
        if (closed || skewed >= exactMs || epoch + now >= rfq.closesAt) continue
        for (const { backer, instance, heard, from, to } of sessions) {
          if (to <= now || heard.has(publicRfqId) || instances[instance]?.process?.stops) continue
          const healthy = wellSince(instance)
          if (now - Math.max(writtenAt, from, healthy + recoveryMs) > rfqMs)
            violation(
              `backer ${short(backer)} did not receive auction ${short(publicRfqId)} from instance ${instance} in time`,
            )
        }
      }
      for (const { submission, since } of waiting.values()) {
        const healthy = wellSince(submission.instance)
        if (now - Math.max(since, healthy) > answerMs) {
          violation(`quote ${short(submission.hash)} received no answer in time`)
          waiting.delete(submission.id)
        }
      }
    },

    /** Checks the rules that apply at the end. */
    finish(database: SimDatabase) {
      for (const auction of auctions.values()) {
        const id = short(auction.record.publicRfqId)
        if (!auction.closed) violation(`auction ${id} is still open at the end`)
        for (const { hash, quote } of auction.rows) {
          const all = answers.get(`${auction.record.publicRfqId} ${hash} ${quote.maker}`)
          if (!all) continue
          if (!['accepted', 'OUTCOME_UNKNOWN', 'unanswered'].some((one) => all.has(one))) {
            violation(`${short(hash)} is in the result of ${id}, but its backer received only ${[...all].join(', ')}`)
          }
        }
      }
      if (waiting.size > 0) violation(`${waiting.size} quotes are still unanswered at the end`)
      const quotes = [...written].flatMap((hash) => database.findQuote(hash) ?? [])
      checkSynced(database.findSyncPosition().cursor, quotes)
      checkStatuses(quotes, database)
    },

    /** Finds an auction by its secret id. */
    auctionOf: (rfqId: string) => bySecret.get(rfqId),

    bestOf,
    isOver: () => waiting.size === 0 && [...auctions.values()].every(({ closed }) => closed !== null),
  }
}

type OutcomeFrame = { rfqId: string; own?: { hash: Hex }; outcome?: string; quoteCount: number }
type Session = { backer: Address; instance: number; heard: ReadonlySet<string>; from: number; to: number }
type Up = { from: number; to: number }
type AcceptCommit = Extract<Commit, { method: 'acceptQuote' }>
type CloseCommit = Extract<Commit, { method: 'closeAuction' }>

function handedKey({ rfqId, hash, backer, life }: Submission): string {
  return `${rfqId} ${hash} ${backer} ${life}`
}

/** Whether two values are equal as JSON, ignoring field order. An absent field equals null. */
function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return (a ?? null) === (b ?? null)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const key of keys) if (!sameJson(left[key], right[key])) return false
  return true
}

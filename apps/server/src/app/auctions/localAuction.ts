// Why: docs/decisions/0013-the-row-is-the-lock.md
// Long because every effect uses the same timers, listeners and pending submissions.
import type { PublicRfqId, Rejection, RFQ, RFQProgress, RFQResult, RFQStreamEvent, SignedQuote } from '@firmquote/core'
import { parseEventId } from '@firmquote/core/protocol'
import type { Address, Hex } from 'viem'
import { applyAuctionEvent } from '../../domain/applyAuctionEvent.ts'
import type { AuctionOutcome } from '../../domain/auctionOutcome.ts'
import { type AuctionRecord, auctionResult } from '../../domain/auctionRecord.ts'
import {
  type AcceptAnswer,
  type AuctionEffect,
  type AuctionEvent,
  type AuctionState,
  type AuctionVerdict,
  knownRecord,
  type QuoteLifetime,
} from '../../domain/auctionState.ts'
import { type CandidateQuote, entryOf } from '../../domain/backerEntries.ts'
import { endingOf } from '../../domain/transcript.ts'
import { OutcomeUnknownError, OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { SubmissionJudge } from '../quotes/judgeQuote.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { ageOf } from './ageOf.ts'

/** An auction, open or closed, from its borrower's point of view. */
export type FollowedAuction = {
  rfq: RFQ
  /** The number of distinct backers connected when the auction opened. */
  backers: number
  /**
   * Subscribes to events after `after`, by default to all. Past events are delivered before this returns. Calling the
   * returned function unsubscribes and does not affect the auction.
   */
  listen(listener: AuctionListener, after?: number): () => void
  /**
   * Resolves when the auction closes.
   *
   * @throws {StorageUnavailableError} if writing the result takes too long. The instance keeps retrying, and the result
   * can be read later.
   * @throws {OverloadedError} if this instance stops before the close. Another instance closes the auction.
   */
  result(): Promise<RFQResult>
}

/** A borrower's subscription to an auction. */
export type AuctionListener = {
  event(event: RFQStreamEvent): void
  /** Called with the latest counts when the subscription begins, and then at most 4 times a second. */
  progress?(progress: RFQProgress): void
  /** Called once this instance will send no more events, even if `done` was not sent. */
  end(): void
}

/** The verdict on a backer's quote. An accepted quote has been written to disk. */
export type SubmissionVerdict = AuctionVerdict

/**
 * An auction that this instance participates in. The auction judges quotes, writes accepted quotes and sends events to
 * followers.
 */
export type LocalAuction = {
  readonly publicRfqId: PublicRfqId
  /** The auction's state, as known to this instance. */
  state(): AuctionState
  /** The result so far. */
  result(): RFQResult
  /**
   * Whether the deadline has passed. If so, another instance may have closed the auction, which only the rows show.
   */
  isDue(): boolean
  follow(): FollowedAuction
  /** Records a borrower's request, which postpones abandonment. */
  touch(): void
  /**
   * Judges a backer's quote. Every submission is answered; the answer is `OUTCOME_UNKNOWN` if this instance stops
   * first.
   */
  submit(submission: { backer: Address; quote: SignedQuote; hash: Hex }): Promise<SubmissionVerdict>
  /** Sends followers the current {@link RFQProgress} if it has changed. */
  sendProgress(): void
  /** Reads rows that another instance may have added. */
  readRows(): void
  /** Asks the store to close the auction if no other instance has. */
  close(): void
  /** Ends the followers' streams on this instance. */
  endFollowing(): void
  /** Stops immediately. Pending submissions are answered with `OUTCOME_UNKNOWN`. */
  stop(): void
}

/** The parts of the hub used by an auction. */
export type LocalAuctionHost = {
  deps: Pick<ServiceDeps, 'clock' | 'store' | 'log'>
  judge: SubmissionJudge
  lifetime: QuoteLifetime
  announce(effect: Extract<AuctionEffect, { type: 'broadcast' }>): void
  /** Called when an open auction has had no followers or requests for {@link abandonedMs}. */
  abandoned(publicRfqId: PublicRfqId): void
  /** Called when this instance accepts a quote, so that other instances read the rows. */
  accepted(publicRfqId: PublicRfqId, seq: number): void
  /** Called after a quote has been shown to followers. */
  quoted(publicRfqId: PublicRfqId, maker: Address): void
  countAnswers(publicRfqId: PublicRfqId, backers: number): RFQProgress | null
  ended(auction: LocalAuction, record: AuctionRecord, outcome: AuctionOutcome): void
}

/** An auction to join, and the settings for joining it. */
export type JoinedAuction = {
  record: AuctionRecord
  /** Whether this instance has just opened the auction and must therefore notify the backers. */
  announced: boolean
  /** Milliseconds after the deadline before this instance closes the auction if no other instance has. */
  closeDelayMs: number
  /** Returns whether no instance was running at the deadline. Called at the close. */
  isInterrupted(): boolean
  /** When the auction opened, on this process's monotonic clock; absent if another process opened it. */
  startedAt?: number
}

/** Milliseconds between write attempts, doubled after each attempt up to the maximum. */
const retryPauses = { firstMs: 100, maxMs: 1_000 }
/** Milliseconds before a backer whose write is still unconfirmed receives `OUTCOME_UNKNOWN`. */
const acceptLimitMs = 5_000
/** Milliseconds to wait for the result's write before followers receive an error. */
const closeLimitMs = 10_000

/** Milliseconds without followers or requests before an auction is abandoned. */
const abandonedMs = 5_000
/** Minimum milliseconds between two progress events. */
const progressPauseMs = 250

/**
 * Joins an auction. `applyAuctionEvent` decides what happens; this function supplies the time, the verdicts and the
 * store's answers.
 */
export function createLocalAuction(host: LocalAuctionHost, arrival: JoinedAuction): LocalAuction {
  const { deps, judge, lifetime } = host
  const { clock, store, log } = deps
  const { rfq, publicRfqId } = arrival.record
  const { openedAt, closesAt } = rfq
  // From here on, wall-clock jumps have no effect. An auction opened on this instance has ignored such jumps since it
  // opened.
  const elapsed = Math.min(Math.max(ageOf(clock, openedAt), 0), closesAt - openedAt)
  const { startedAt = clock.monotonic() - elapsed } = arrival
  const events: RFQStreamEvent[] = []
  const listeners = new Set<AuctionListener>()
  const waiting = new Set<{ resolve(result: RFQResult): void; reject(error: Error): void }>()
  const timers = new Set<() => void>()
  /** Unanswered submissions. */
  const answers = new Map<number, { hash: Hex; resolve(verdict: SubmissionVerdict): void }>()
  let submissions = 0
  let state: AuctionState | null = null
  // Later arrivals must not rank before earlier ones, even after a restart on a different clock.
  let lastArrival = arrival.record.quotes.reduce((latest, quote) => Math.max(latest, quote.arrival), 0)
  let stopped = false
  let isReading = false
  let isReadAgain = false

  /** Fractional Unix milliseconds; rows store whole milliseconds. */
  const auctionTime = () => openedAt + (clock.monotonic() - startedAt)
  const wholeTime = () => Math.floor(auctionTime())
  const stateNow = (): AuctionState => {
    if (state === null) throw new TypeError('The auction has not been opened.')
    return state
  }

  const schedule = (milliseconds: number, callback: () => void): (() => void) => {
    if (stopped) return () => {}
    const cancel = clock.after(milliseconds, () => {
      timers.delete(cancel)
      callback()
    })
    timers.add(cancel)
    return () => {
      timers.delete(cancel)
      cancel()
    }
  }

  let cancelAbandonment = () => {}
  const touch = () => {
    cancelAbandonment()
    if (listeners.size === 0) cancelAbandonment = schedule(abandonedMs, () => host.abandoned(publicRfqId))
  }

  const dispatch = (event: AuctionEvent) => {
    if (stopped) return
    const step = applyAuctionEvent(state, event)
    state = step.state
    for (const effect of step.effects) {
      try {
        perform(effect)
      } catch (error) {
        // A failing listener must not prevent the remaining effects.
        log.error({ err: error, rfqId: publicRfqId }, 'failed to apply an auction effect')
      }
    }
  }

  const perform = (effect: AuctionEffect) => {
    switch (effect.type) {
      case 'broadcast':
        host.announce(effect)
        break
      case 'judge':
        void judge(effect.candidate, publicRfqId).then((verdict) =>
          dispatch({ type: 'quoteJudged', id: effect.id, backer: effect.backer, ...verdict }),
        )
        break
      case 'accept':
        accept(effect)
        break
      case 'ack':
        answers.get(effect.submission)?.resolve(effect.verdict)
        answers.delete(effect.submission)
        break
      case 'emit':
        emit(effect.event)
        break
      case 'readRows':
        readRows()
        break
      case 'close':
        if (effect.repeated) schedule(closePauses.next(), () => void writeClose(effect.rejectedCount, true))
        else {
          schedule(closeLimitMs, () => dispatch({ type: 'closeOverdue' }))
          void writeClose(effect.rejectedCount, false)
        }
        break
      case 'end':
        end(effect)
        break
    }
  }

  const closePauses = createPauses()
  /** Quotes being written, with outcomes not yet reported by the store, by ID. */
  const accepting = new Map<number, { pauses: ReturnType<typeof createPauses>; cancelLimit: () => void }>()

  const accept = ({ id, backer, candidate, repeated }: Extract<AuctionEffect, { type: 'accept' }>) => {
    const known = accepting.get(id) ?? {
      pauses: createPauses(),
      cancelLimit: schedule(acceptLimitMs, () => dispatch({ type: 'acceptOverdue', id, backer })),
    }
    accepting.set(id, known)
    const write = async () => {
      const answer = await acceptAnswer(candidate, repeated)
      dispatch({ type: 'acceptAnswered', id, backer, answer })
      if (entryOf(stateNow().entries, backer).pending?.id !== id) {
        accepting.delete(id)
        known.cancelLimit()
      }
      if (answer.status === 'accepted') host.accepted(publicRfqId, answer.seq)
    }
    if (repeated) schedule(known.pauses.next(), () => void write())
    else void write()
  }

  const acceptAnswer = async (candidate: CandidateQuote, repeated: boolean): Promise<AcceptAnswer> => {
    try {
      return await store.acceptQuote({ ...candidate, publicRfqId }, wholeTime())
    } catch (error) {
      const level = !(error instanceof StorageUnavailableError) ? 'error' : repeated ? 'debug' : 'warn'
      log[level]({ err: error, rfqId: publicRfqId }, 'failed to write a quote')
      return { status: error instanceof OutcomeUnknownError ? 'unknown' : 'failed' }
    }
  }

  const writeClose = async (rejectedCount: number, repeated: boolean) => {
    try {
      const interrupted = arrival.isInterrupted()
      // The store reads only rows unknown to this instance, because auctions that close at the same time can have many
      // rows. If there are none, it needs no more than the ending to complete the transcript.
      const record = knownRecord(stateNow())
      const { quotes: known } = record
      const at = wholeTime()
      const answer = await store.closeAuction({
        ...{ publicRfqId, at, rejectedCount, interrupted, knownCount: known.length },
        ...(store.proofs && { ending: endingOf(record, { closedAt: at, rejectedCount, interrupted }) }),
      })
      const whole = (auction: AuctionRecord) => ({ ...auction, quotes: [...known, ...auction.quotes] })
      dispatch({ type: 'closeAnswered', answer: answer && { ...answer, auction: whole(answer.auction) } })
    } catch (error) {
      const level = repeated ? 'debug' : 'warn'
      log[level]({ err: error, rfqId: publicRfqId }, 'failed to write an auction result; will retry')
      dispatch({ type: 'closeFailed' })
    }
  }

  const readRows = () => {
    if (isReading) {
      // The current read may have started before the change that caused this call.
      isReadAgain = true
      return
    }
    isReading = true
    void store
      // Rows before `acceptedCount` are already known and need no parsing.
      .findAuction({ publicRfqId }, stateNow().acceptedCount)
      .then(
        (record) => record && dispatch({ type: 'rowsRead', record }),
        (error: unknown) => log.warn({ err: error, rfqId: publicRfqId }, 'failed to read auction rows'),
      )
      .finally(() => {
        isReading = false
        if (!isReadAgain) return
        isReadAgain = false
        if (!stopped) readRows()
      })
  }

  const emit = (event: RFQStreamEvent) => {
    // An error interrupts the stream but is not one of the auction's events.
    if (event.type !== 'error') events.push(event)
    for (const listener of [...listeners]) listener.event(event)
    if (event.type === 'quote') host.quoted(publicRfqId, event.data.quote.maker)
    if (event.type !== 'error') return
    const { message } = event.data
    endListeners(new StorageUnavailableError(message))
  }

  let progress: RFQProgress | null = null
  let progressTurn: 'free' | 'paused' | 'waiting' = 'free'
  const sendProgress = () => {
    if (progressTurn !== 'free') {
      progressTurn = 'waiting'
      return
    }
    const next = host.countAnswers(publicRfqId, arrival.record.backers)
    if (stopped || next === null || stateNow().phase !== 'open' || isSameProgress(next, progress)) return
    progress = next
    for (const listener of [...listeners]) listener.progress?.(next)
    progressTurn = 'paused'
    schedule(progressPauseMs, () => {
      const isWaiting = progressTurn === 'waiting'
      progressTurn = 'free'
      if (isWaiting) sendProgress()
    })
  }

  const endListeners = (reason: Error) => {
    for (const listener of [...listeners]) listener.end()
    listeners.clear()
    for (const { reject } of waiting) reject(reason)
    waiting.clear()
  }

  const end = ({ record, outcome }: Extract<AuctionEffect, { type: 'end' }>) => {
    const result = auctionResult(record)
    for (const { resolve } of waiting) resolve(result)
    halt()
    const { backers, quotes, rejectedCount, interrupted = false } = result
    log.info({ rfqId: publicRfqId, backers, quotes: quotes.length, rejectedCount, interrupted }, 'auction closed')
    host.ended(auction, record, outcome)
  }

  const halt = () => {
    stopped = true
    for (const cancel of timers) cancel()
    endListeners(new OverloadedError())
  }

  const auction: LocalAuction = {
    publicRfqId,
    state: stateNow,
    result: () => auctionResult(knownRecord(stateNow()), stateNow().rejectedCount),
    isDue: () => auctionTime() >= closesAt,
    follow: () => ({
      rfq,
      backers: arrival.record.backers,
      listen(listener, after = -1) {
        // Skip events that this instance has not read yet but the follower may have received from another instance.
        const own: AuctionListener = {
          event: (event) => {
            if (event.type === 'error' || seqOf(event) > after) listener.event(event)
          },
          progress: (counts) => listener.progress?.(counts),
          end: () => listener.end(),
        }
        for (const event of events) own.event(event)
        if (progress && stateNow().phase === 'open') own.progress?.(progress)
        if (stopped) listener.end()
        else listeners.add(own)
        // Answers may have been counted before this instance joined the auction.
        sendProgress()
        touch()
        return () => {
          if (listeners.delete(own)) touch()
        }
      },
      result: () =>
        new Promise((resolve, reject) => {
          if (stateNow().close) resolve(auctionResult(knownRecord(stateNow())))
          else if (stopped) reject(new OverloadedError())
          else waiting.add({ resolve, reject })
        }),
    }),
    submit: async ({ backer, quote, hash }) => {
      if (stopped) {
        // The auction has ended, or this instance has stopped, since the caller looked it up.
        const { close } = stateNow()
        const rejection: Rejection = close
          ? { code: 'AUCTION_CLOSED', closedAt: close.closedAt }
          : { code: 'OVERLOADED' }
        return { ok: false, rejection }
      }
      // Keeps arrival times strictly increasing, even if the clock is coarse.
      lastArrival = Math.max(lastArrival + 1, Math.floor(auctionTime() * 1_000))
      submissions += 1
      const submission = submissions
      const answer = new Promise<SubmissionVerdict>((resolve) => answers.set(submission, { hash, resolve }))
      const now = chainNow(clock)
      dispatch({ type: 'quoteSubmitted', submission, backer, quote, hash, now, arrival: lastArrival })
      return answer
    },
    touch,
    sendProgress,
    readRows,
    close: () => dispatch({ type: 'deadlineReached' }),
    endFollowing: () => endListeners(new OverloadedError()),
    stop() {
      halt()
      // A quote that was being written may be on disk.
      for (const { hash, resolve } of answers.values()) {
        resolve({ ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } })
      }
    },
  }

  dispatch({ type: 'opened', record: arrival.record, lifetime, announced: arrival.announced })
  touch()
  const closeWhenDue = () => {
    const left = closesAt + arrival.closeDelayMs - auctionTime()
    // Rounded up, because the store refuses a close that is even a fraction of a millisecond early.
    if (left > 0) schedule(Math.ceil(left), closeWhenDue)
    else auction.close()
  }
  schedule(Math.max(Math.ceil(closesAt + arrival.closeDelayMs - auctionTime()), 0), closeWhenDue)
  return auction
}

/** Creates the delays between attempts at one write. */
function createPauses() {
  let pause = retryPauses.firstMs
  return {
    next(): number {
      const given = pause
      pause = Math.min(pause * 2, retryPauses.maxMs)
      return given
    },
  }
}

/** An event's `seq` in its auction's stream. */
export function seqOf({ id }: RFQStreamEvent): number {
  return parseEventId(id)?.seq ?? -1
}

function isSameProgress(a: RFQProgress, b: RFQProgress | null): boolean {
  return a.answered === b?.answered && a.expected === b.expected && a.backers === b.backers
}

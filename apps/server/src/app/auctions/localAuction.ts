// Why: docs/decisions/0013-the-row-is-the-lock.md
// Long because the shell performs every effect on the same timers, listeners and pending answers.
import {
  type PublicRfqId,
  parseEventId,
  type Rejection,
  type RFQ,
  type RFQResult,
  type RFQStreamEvent,
  type SignedQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { applyAuctionEvent } from '../../domain/applyAuctionEvent.ts'
import type { AuctionOutcome } from '../../domain/auctionOutcome.ts'
import { type AuctionRecord, auctionResult } from '../../domain/auctionRecord.ts'
import {
  type AcceptAnswer,
  type AuctionEffect,
  type AuctionEvent,
  type AuctionState,
  knownRecord,
  type QuoteLifetime,
} from '../../domain/auctionState.ts'
import { type CandidateQuote, entryOf } from '../../domain/backerEntries.ts'
import { OutcomeUnknownError, OverloadedError, StorageUnavailableError } from '../../ports/errors.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { Outcome } from '../outcome.ts'
import type { SubmissionJudge } from '../quotes/judgeQuote.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** An auction, open or closed, as its borrower sees it. */
export type FollowedAuction = {
  rfq: RFQ
  /** How many distinct backers were connected when it was opened. */
  backers: number
  /**
   * Subscribes to the events after `after` in the stream, by default all of them. Past events are delivered before this
   * returns. The returned function unsubscribes; the auction continues.
   */
  listen(listener: AuctionListener, after?: number): () => void
  /**
   * Resolves at the close.
   *
   * @throws {StorageUnavailableError} when writing the result takes too long. The instance keeps trying, and the
   * result can be read later.
   * @throws {OverloadedError} when this instance stops before the close; another one closes the auction.
   */
  result(): Promise<RFQResult>
}

/** A borrower's subscription to an auction. */
export type AuctionListener = {
  event(event: RFQStreamEvent): void
  /** Called when this instance sends no further event, with or without `done`. */
  end(): void
}

/** The verdict on a backer's quote. An accepted quote is on disk. */
export type SubmissionVerdict = Outcome<{ hash: Hex; receivedAt: number; closesAt: number }>

/**
 * An auction that this instance participates in: it judges quotes, writes accepted ones and sends events to followers.
 */
export type LocalAuction = {
  readonly publicRfqId: PublicRfqId
  /** The state known to this instance. */
  state(): AuctionState
  /** The result so far. */
  result(): RFQResult
  /** Whether the deadline has passed. Another instance may then have closed the auction, and only the rows tell. */
  isDue(): boolean
  follow(): FollowedAuction
  /** Records a request of the borrower, which postpones abandonment. */
  touch(): void
  /** Judges a backer's quote. Every submission is answered, with `OUTCOME_UNKNOWN` if this instance stops first. */
  submit(submission: { backer: Address; quote: SignedQuote; hash: Hex }): Promise<SubmissionVerdict>
  /** Reads rows that another instance may have added. */
  readRows(): void
  /** Asks the store to close the auction; another instance may have closed it already. */
  close(): void
  /** Ends the streams of its followers on this instance. */
  endFollowing(): void
  /** Stops immediately. Pending submissions are answered with `OUTCOME_UNKNOWN`. */
  stop(): void
}

/** The parts of the hub that an auction uses. */
export type LocalAuctionHost = {
  deps: Pick<ServiceDeps, 'clock' | 'store' | 'log'>
  judge: SubmissionJudge
  lifetime: QuoteLifetime
  announce(effect: Extract<AuctionEffect, { type: 'broadcast' }>): void
  /** Called when an open auction has had no followers or requests for {@link abandonedMs}. */
  abandoned(publicRfqId: PublicRfqId): void
  /** Called when a quote was accepted here, so that other instances read the rows. */
  accepted(publicRfqId: PublicRfqId, seq: number): void
  ended(auction: LocalAuction, record: AuctionRecord, outcome: AuctionOutcome): void
}

/** The way in which an auction reaches this instance. */
export type JoinedAuction = {
  record: AuctionRecord
  /** Whether it was opened here and now, so that backers must be notified. */
  announced: boolean
  /** Milliseconds after the deadline at which this instance closes the auction, unless it is closed by then. */
  closeDelayMs: number
  /** Whether no instance was running at the deadline. */
  interrupted: boolean
  /** The opening by this process's monotonic clock; absent if another process opened the auction. */
  startedAt?: number
}

/** Milliseconds between attempts of one write, doubled up to the longest. */
const retryPauses = { firstMs: 100, maxMs: 1_000 }
/** Milliseconds before an unanswered write is reported to the backer as `OUTCOME_UNKNOWN`. */
const acceptLimitMs = 5_000
/** Milliseconds before followers get an error because the result is still not written. */
const closeLimitMs = 10_000

/** Milliseconds without a follower or request after which an auction is abandoned. */
const abandonedMs = 5_000

/**
 * Joins an auction. `applyAuctionEvent` decides; this shell provides the time, the verdicts and the store's answers.
 */
export function createLocalAuction(host: LocalAuctionHost, arrival: JoinedAuction): LocalAuction {
  const { deps, judge, lifetime } = host
  const { clock, store, log } = deps
  const { rfq, publicRfqId } = arrival.record
  const { openedAt, closesAt } = rfq
  // From here on, jumps of the wall clock have no effect. An auction opened here has been immune from its opening.
  const elapsed = Math.min(Math.max(clock.now() - openedAt, 0), closesAt - openedAt)
  const { startedAt = clock.monotonic() - elapsed } = arrival
  const events: RFQStreamEvent[] = []
  const listeners = new Set<AuctionListener>()
  const waiting = new Set<{ resolve(result: RFQResult): void; reject(error: Error): void }>()
  const timers = new Set<() => void>()
  /** Submissions without an answer. */
  const answers = new Map<number, { hash: Hex; resolve(verdict: SubmissionVerdict): void }>()
  let submissions = 0
  let state: AuctionState | null = null
  // A later arrival must not rank before an earlier one, even after a restart with another clock.
  let lastArrival = arrival.record.quotes.reduce((latest, quote) => Math.max(latest, quote.arrival), 0)
  let stopped = false
  let isReading = false
  let isReadAgain = false

  /** Unix milliseconds with a fraction; rows have whole milliseconds. */
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
        // A failing listener must not keep the others from their answer.
        log.error({ err: error, rfqId: publicRfqId }, 'failed to apply an effect of an auction')
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
  /** Quotes that the store has not answered yet, by id. */
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
      const { interrupted } = arrival
      // The store returns only rows that are unknown here: auctions that close together have many.
      const { quotes: known } = knownRecord(stateNow())
      const close = { publicRfqId, at: wholeTime(), rejectedCount, interrupted, knownCount: known.length }
      const answer = await store.closeAuction(close)
      const whole = (auction: AuctionRecord) => ({ ...auction, quotes: [...known, ...auction.quotes] })
      dispatch({ type: 'closeAnswered', answer: answer && { ...answer, auction: whole(answer.auction) } })
    } catch (error) {
      const level = repeated ? 'debug' : 'warn'
      log[level]({ err: error, rfqId: publicRfqId }, 'failed to write the result of an auction; will retry')
      dispatch({ type: 'closeFailed' })
    }
  }

  const readRows = () => {
    if (isReading) {
      // The current read may have begun before the change that this call is about.
      isReadAgain = true
      return
    }
    isReading = true
    void store
      // Rows before `acceptedCount` are known and need no parsing.
      .findAuction({ publicRfqId }, stateNow().acceptedCount)
      .then(
        (record) => record && dispatch({ type: 'rowsRead', record }),
        (error: unknown) => log.warn({ err: error, rfqId: publicRfqId }, 'failed to read the rows of an auction'),
      )
      .finally(() => {
        isReading = false
        if (!isReadAgain) return
        isReadAgain = false
        if (!stopped) readRows()
      })
  }

  const emit = (event: RFQStreamEvent) => {
    // An error ends the stream for now and is not an event of the auction.
    if (event.type !== 'error') events.push(event)
    for (const listener of [...listeners]) listener.event(event)
    if (event.type !== 'error') return
    const { message } = event.data
    endListeners(new StorageUnavailableError(message))
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
        // The follower may have received events from another instance that this one has yet to read; skip those.
        const own: AuctionListener = {
          event: (event) => {
            if (event.type === 'error' || seqOf(event) > after) listener.event(event)
          },
          end: () => listener.end(),
        }
        for (const event of events) own.event(event)
        if (stopped) listener.end()
        else listeners.add(own)
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
        // The auction has ended since its caller found it.
        const { close } = stateNow()
        const rejection: Rejection = close
          ? { code: 'AUCTION_CLOSED', closedAt: close.closedAt }
          : { code: 'OVERLOADED' }
        return { ok: false, rejection }
      }
      // Keeps the order of submissions even with a coarse clock.
      lastArrival = Math.max(lastArrival + 1, Math.floor(auctionTime() * 1_000))
      submissions += 1
      const submission = submissions
      const answer = new Promise<SubmissionVerdict>((resolve) => answers.set(submission, { hash, resolve }))
      const now = chainNow(clock)
      dispatch({ type: 'quoteSubmitted', submission, backer, quote, hash, now, arrival: lastArrival })
      return answer
    },
    touch,
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
    // Rounded up, because the store refuses a close that is a fraction of a millisecond early.
    if (left > 0) schedule(Math.ceil(left), closeWhenDue)
    else auction.close()
  }
  schedule(Math.max(Math.ceil(closesAt + arrival.closeDelayMs - auctionTime()), 0), closeWhenDue)
  return auction
}

/** Creates the pauses between the attempts of one write. */
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

/** The `seq` of an event in its auction's stream. */
export function seqOf({ id }: RFQStreamEvent): number {
  return parseEventId(id)?.seq ?? -1
}

// Why: docs/decisions/0013-the-row-is-the-lock.md
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
import type { ServiceDeps } from '../serviceDeps.ts'
import type { SubmissionJudge } from './submissionJudge.ts'

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
   * @throws {StorageUnavailableError} when the result could not be written in time. The instance keeps trying, and the
   * result can be read later.
   * @throws {OverloadedError} when this instance stops before the close; another one closes the auction.
   */
  result(): Promise<RFQResult>
}

/** A borrower's subscription to an auction. */
export type AuctionListener = {
  event(event: RFQStreamEvent): void
  /** Ends the stream: this instance sends no further event, whether `done` was sent or not. */
  end(): void
}

/** The verdict on a backer's quote. An accepted quote is on disk. */
export type SubmissionVerdict = Outcome<{ hash: Hex; receivedAt: number; closesAt: number }>

/** An auction that this instance takes part in: it judges quotes, has the store accept them, and tells who follows it. */
export type LocalAuction = {
  readonly publicRfqId: PublicRfqId
  /** The state as this instance knows it. */
  state(): AuctionState
  /** The result so far. */
  result(): RFQResult
  /** Whether its time is over: then another instance may have closed it, and only the rows say what it is. */
  isDue(): boolean
  follow(): FollowedAuction
  /** Notes that its borrower has asked for it. */
  touch(): void
  /** Judges a backer's quote. Every submission is answered, `OUTCOME_UNKNOWN` if this instance stops meanwhile. */
  submit(submission: { backer: Address; quote: SignedQuote; hash: Hex }): Promise<SubmissionVerdict>
  /** Reads the rows, when another instance may have added some. */
  readRows(): void
  /** Asks the store to close it, which it has perhaps done for another instance. */
  close(): void
  /** Ends what is told to those who follow it here. */
  endFollowing(): void
  /** Stops at once: what is not known yet is said to be unknown. */
  stop(): void
}

/** What an auction needs of its hub. */
export type LocalAuctionHost = {
  deps: Pick<ServiceDeps, 'clock' | 'store' | 'log'>
  judge: SubmissionJudge
  lifetime: QuoteLifetime
  announce(effect: Extract<AuctionEffect, { type: 'broadcast' }>): void
  /** Nobody has followed an open auction here, or asked for it, for some seconds. */
  abandoned(publicRfqId: PublicRfqId): void
  /** A quote was accepted here: other instances may look at the rows. */
  accepted(publicRfqId: PublicRfqId, seq: number): void
  ended(auction: LocalAuction, record: AuctionRecord, outcome: AuctionOutcome): void
}

/** How an auction comes to this instance. */
export type JoinedAuction = {
  record: AuctionRecord
  /** Opened here and now: backers are told. */
  announced: boolean
  /** Milliseconds after the deadline at which this instance closes it, unless another one has. */
  closeDelayMs: number
  /** Nobody was there at the deadline. */
  interrupted: boolean
  /** When it was opened, by this process's monotonic clock; absent where another one has opened it. */
  startedAt?: number
}

/** The pauses before the store is asked again, in milliseconds. */
const repeatPauses = { firstMs: 100, longestMs: 1_000 }
/** After so many milliseconds without the store's answer a backer hears that it is not known whether its quote is stored. */
const acceptLimitMs = 5_000
/** After so many milliseconds who follows an auction hears that its result could not be written yet. */
const closeLimitMs = 10_000

/** An auction that nobody has followed or asked for in so many milliseconds is abandoned. */
const abandonedMs = 5_000

/** Takes part in an auction. `applyAuctionEvent` decides; this shell provides time, verdicts and the store's answers. */
export function createLocalAuction(host: LocalAuctionHost, arrival: JoinedAuction): LocalAuction {
  const { deps, judge, lifetime } = host
  const { clock, store, log } = deps
  const { rfq, publicRfqId } = arrival.record
  const { openedAt, closesAt } = rfq
  // A jump of the wall clock has no effect from here on; where it was opened here, none since then.
  const elapsed = Math.min(Math.max(clock.now() - openedAt, 0), closesAt - openedAt)
  const { startedAt = clock.monotonic() - elapsed } = arrival
  const events: RFQStreamEvent[] = []
  const listeners = new Set<AuctionListener>()
  const waiting = new Set<{ resolve(result: RFQResult): void; reject(error: Error): void }>()
  const timers = new Set<() => void>()
  /** The submissions that have no answer yet. */
  const answers = new Map<number, { hash: Hex; resolve(verdict: SubmissionVerdict): void }>()
  let submissions = 0
  let state: AuctionState | null = null
  // Across a restart too, whatever the clock has done meanwhile, a later arrival is not ranked before an earlier one.
  let lastArrival = arrival.record.quotes.reduce((latest, quote) => Math.max(latest, quote.arrival), 0)
  let stopped = false
  let isReading = false
  let isReadAgain = false

  /** Unix milliseconds; rows have whole ones. */
  const auctionTime = () => openedAt + (clock.monotonic() - startedAt)
  const wholeTime = () => Math.floor(auctionTime())
  const stateNow = (): AuctionState => {
    if (state === null) throw new TypeError('The auction has not been opened.')
    return state
  }

  const after = (milliseconds: number, callback: () => void): (() => void) => {
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
    if (listeners.size === 0) cancelAbandonment = after(abandonedMs, () => host.abandoned(publicRfqId))
  }

  const dispatch = (event: AuctionEvent) => {
    if (stopped) return
    const step = applyAuctionEvent(state, event)
    state = step.state
    for (const effect of step.effects) {
      try {
        perform(effect)
      } catch (error) {
        // One listener that fails must not keep the others from their answer.
        log.error({ err: error, rfqId: publicRfqId }, 'an effect of an auction failed')
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
        if (effect.repeated) after(closePauses.next(), () => void writeClose(effect.rejectedCount, true))
        else {
          after(closeLimitMs, () => dispatch({ type: 'closeOverdue' }))
          void writeClose(effect.rejectedCount, false)
        }
        break
      case 'end':
        end(effect)
        break
    }
  }

  const closePauses = createPauses()
  /** The quotes that the store has not answered yet, by id. */
  const accepting = new Map<number, { pauses: ReturnType<typeof createPauses>; cancelLimit: () => void }>()

  const accept = ({ id, backer, candidate, repeated }: Extract<AuctionEffect, { type: 'accept' }>) => {
    const known = accepting.get(id) ?? {
      pauses: createPauses(),
      cancelLimit: after(acceptLimitMs, () => dispatch({ type: 'acceptOverdue', id, backer })),
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
    if (repeated) after(known.pauses.next(), () => void write())
    else void write()
  }

  const acceptAnswer = async (candidate: CandidateQuote, repeated: boolean): Promise<AcceptAnswer> => {
    try {
      return await store.acceptQuote({ ...candidate, publicRfqId }, wholeTime())
    } catch (error) {
      const level = !(error instanceof StorageUnavailableError) ? 'error' : repeated ? 'debug' : 'warn'
      log[level]({ err: error, rfqId: publicRfqId }, 'a quote could not be stored')
      return { status: error instanceof OutcomeUnknownError ? 'unknown' : 'failed' }
    }
  }

  const writeClose = async (rejectedCount: number, repeated: boolean) => {
    try {
      const { interrupted } = arrival
      // What is known here need not be read again: the rows of twenty auctions that close together are many.
      const { quotes: known } = knownRecord(stateNow())
      const close = { publicRfqId, at: wholeTime(), rejectedCount, interrupted, knownCount: known.length }
      const answer = await store.closeAuction(close)
      const whole = (auction: AuctionRecord) => ({ ...auction, quotes: [...known, ...auction.quotes] })
      dispatch({ type: 'closeAnswered', answer: answer && { ...answer, auction: whole(answer.auction) } })
    } catch (error) {
      const level = repeated ? 'debug' : 'warn'
      log[level]({ err: error, rfqId: publicRfqId }, 'the result of an auction could not be written; it is tried again')
      dispatch({ type: 'closeFailed' })
    }
  }

  const readRows = () => {
    if (isReading) {
      // What is being read may be older than what this call is about.
      isReadAgain = true
      return
    }
    isReading = true
    void store
      // Each hint tells of a few quotes: those before them are not read and parsed again.
      .findAuction({ publicRfqId }, stateNow().acceptedCount)
      .then(
        (record) => record && dispatch({ type: 'rowsRead', record }),
        (error: unknown) => log.warn({ err: error, rfqId: publicRfqId }, 'the rows of an auction could not be read'),
      )
      .finally(() => {
        isReading = false
        if (!isReadAgain) return
        isReadAgain = false
        if (!stopped) readRows()
      })
  }

  const emit = (event: RFQStreamEvent) => {
    // An error says that the stream ends here for now; it is no event of the auction.
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
      listen(listener, behind = -1) {
        // Another instance may have sent what this one has not read yet: each event comes once.
        const own: AuctionListener = {
          event: (event) => {
            if (event.type === 'error' || seqOf(event) > behind) listener.event(event)
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
        // It has ended since its caller found it.
        const { close } = stateNow()
        const rejection: Rejection = close
          ? { code: 'AUCTION_CLOSED', closedAt: close.closedAt }
          : { code: 'OVERLOADED' }
        return { ok: false, rejection }
      }
      // In the order in which submissions come, however coarse the clock is.
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
      // What was being stored may be on disk.
      for (const { hash, resolve } of answers.values()) {
        resolve({ ok: false, rejection: { code: 'OUTCOME_UNKNOWN', hash } })
      }
    },
  }

  dispatch({ type: 'opened', record: arrival.record, lifetime, announced: arrival.announced })
  touch()
  const closeWhenDue = () => {
    const left = closesAt + arrival.closeDelayMs - auctionTime()
    // The sum of two times is rounded: what is a fraction too early would be asked of the store in vain.
    if (left > 0) after(Math.ceil(left), closeWhenDue)
    else auction.close()
  }
  after(Math.max(Math.ceil(closesAt + arrival.closeDelayMs - auctionTime()), 0), closeWhenDue)
  return auction
}

/** The pauses between the attempts of one write. */
function createPauses() {
  let pause = repeatPauses.firstMs
  return {
    next(): number {
      const given = pause
      pause = Math.min(pause * 2, repeatPauses.longestMs)
      return given
    },
  }
}

/** The place of an event in its auction's stream. */
export function seqOf({ id }: RFQStreamEvent): number {
  return parseEventId(id)?.seq ?? -1
}

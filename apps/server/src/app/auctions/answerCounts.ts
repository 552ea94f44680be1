// Why: docs/decisions/0073-early-taking.md
import type { PublicRfqId, RFQProgress } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import { LRUCache } from 'lru-cache'
import { type AnswerRecord, countAnswers, isExpected, noAnswers, withRfq } from '../../domain/answerRecord.ts'
import type { Bus } from '../../ports/bus.ts'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { onHint } from './hints.ts'

/** The makers that have answered each open RFQ, as known to this instance. Addresses are in lower case. */
export type AnswerCounts = {
  /**
   * Called when an RFQ has been sent to the makers connected here.
   *
   * @param isLate whether this instance missed the RFQ's hint, and so perhaps others about it.
   */
  sent(rfqId: PublicRfqId, makers: Iterable<string>, isLate: boolean): void
  /** Called when a maker connected here has declined, or its quote was rejected. Informs the other instances. */
  declined(rfqId: PublicRfqId, maker: string): void
  /** Called for each accepted quote. Other instances find it in the rows. */
  quoted(rfqId: PublicRfqId, maker: string): void
  /** Counts an RFQ's answers; null if no maker is expected. `backers` as in {@link countAnswers}. */
  count(rfqId: PublicRfqId, backers: number): RFQProgress | null
}

/** An RFQ's makers. */
type Round = {
  /** The makers connected here when the RFQ was sent. */
  sentTo: readonly string[]
  expected: Set<string>
  answered: Set<string>
  /** The answers that other instances do not find in the rows. */
  declined: Set<string>
  /** The answers already added to their makers' records. */
  prompt: Set<string>
  /** Monotonic times. */
  promptUntil: number
  endsAt: number
}

/** Maximum number of makers with a record. Every RFQ renews the records of connected makers. */
const maxRecords = 10_000
/**
 * The part of an auction in which an answer counts for its maker's record. Otherwise, a maker could keep a perfect
 * record and delay every RFQ by declining at the last moment.
 */
const promptShare = 1 / 3
/** Milliseconds after the close in which an instance learns of the last quotes. */
const graceMs = 1_000

/**
 * Creates the counts. Instances exchange the makers that each of them expects, and declines. The records of makers are
 * in memory: after a restart, a maker counts again once it has answered.
 *
 * @param changed called when an RFQ's count may have changed.
 */
export function createAnswerCounts(
  { bus, clock, auctionDurationMs }: { bus: Bus; clock: Pick<Clock, 'monotonic'>; auctionDurationMs: number },
  changed: (rfqId: PublicRfqId) => void,
): AnswerCounts {
  const records = new LRUCache<string, AnswerRecord>({ max: maxRecords })
  /** In order of their ends, because all auctions have the same length. */
  const rounds = new Map<PublicRfqId, Round>()
  const hints = new Map<PublicRfqId, { expected: Set<string>; declined: Set<string>; isAsking: boolean }>()

  const record = (maker: string, answered: boolean) =>
    records.set(maker, withRfq(records.get(maker) ?? noAnswers, answered))

  const endRounds = () => {
    for (const [rfqId, { sentTo, expected, prompt, endsAt }] of rounds) {
      if (endsAt > clock.monotonic()) break
      rounds.delete(rfqId)
      for (const maker of new Set([...sentTo, ...expected])) if (!prompt.has(maker)) record(maker, false)
    }
  }

  const roundOf = (rfqId: PublicRfqId): Round => {
    const known = rounds.get(rfqId)
    if (known) return known
    endRounds()
    const now = clock.monotonic()
    const round: Round = {
      sentTo: [],
      expected: new Set(),
      answered: new Set(),
      declined: new Set(),
      prompt: new Set(),
      promptUntil: now + auctionDurationMs * promptShare,
      endsAt: now + auctionDurationMs + graceMs,
    }
    rounds.set(rfqId, round)
    return round
  }

  const answer = (round: Round, maker: string) => {
    if (round.answered.has(maker)) return
    round.answered.add(maker)
    if (clock.monotonic() > round.promptUntil) return
    round.prompt.add(maker)
    record(maker, true)
  }

  const sendHints = createSlicedTask(() => {
    for (const [rfqId, { expected, declined, isAsking }] of hints) {
      const hint = { rfqId, expected: [...expected], declined: [...declined], ...(isAsking && { isAsking }) }
      bus.publish('auction_progress', JSON.stringify(hint))
    }
    hints.clear()
  })
  const tell = (rfqId: PublicRfqId, expected: Iterable<string>, declined: Iterable<string>, isAsking = false) => {
    const hint = hints.get(rfqId) ?? { expected: new Set(), declined: new Set(), isAsking }
    for (const maker of expected) hint.expected.add(maker)
    for (const maker of declined) hint.declined.add(maker)
    hint.isAsking ||= isAsking
    hints.set(rfqId, hint)
    sendHints.schedule()
  }

  onHint(bus, 'auction_progress', ({ rfqId, expected, declined, isAsking }) => {
    const round = roundOf(rfqId)
    for (const maker of expected) round.expected.add(maker)
    for (const maker of declined) {
      round.declined.add(maker)
      answer(round, maker)
    }
    changed(rfqId)
    if (isAsking && round.expected.size + round.declined.size > 0) tell(rfqId, round.expected, round.declined)
  })

  return {
    sent(rfqId, makers, isLate) {
      const round = roundOf(rfqId)
      round.sentTo = [...makers]
      const expected = round.sentTo.filter((maker) => isExpected(records.get(maker) ?? noAnswers))
      if (expected.length > 0 || isLate) tell(rfqId, expected, [], isLate)
    },
    declined(rfqId, maker) {
      const round = rounds.get(rfqId)
      if (round && !round.answered.has(maker)) tell(rfqId, [], [maker])
    },
    quoted(rfqId, maker) {
      answer(roundOf(rfqId), maker)
      changed(rfqId)
    },
    count(rfqId, backers) {
      const round = rounds.get(rfqId)
      return round ? countAnswers(round.expected, round.answered, backers) : null
    },
  }
}

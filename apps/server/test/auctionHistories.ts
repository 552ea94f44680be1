import type { Rejection } from '@firmquote/core'
import * as fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { applyAuctionEvent } from '../src/domain/applyAuctionEvent.ts'
import type { AcceptedQuote, AuctionRecord } from '../src/domain/auctionRecord.ts'
import type { AcceptAnswer, AuctionEffect, AuctionEvent, AuctionState } from '../src/domain/auctionState.ts'
import type { CandidateQuote } from '../src/domain/backerEntries.ts'
import { candidateOf } from '../src/domain/judgeSubmission.ts'
import {
  backers,
  deadlineReached,
  effectsOf,
  judged,
  opened,
  record,
  rfq,
  type Submitted,
  submitted,
} from './auctionEvents.ts'

/**
 * A small set of prices, to make ties frequent: two with the same rate but different notionals, one higher, and two
 * invalid.
 */
const prices = [
  { vrtAmount: 10n, notional: 1_000n },
  { vrtAmount: 5n, notional: 500n },
  { vrtAmount: 11n, notional: 1_000n },
  { vrtAmount: 10n, notional: 0n },
  { vrtAmount: 10n, notional: 2_000n },
] as const

const verdicts = ['accepted', 'rejected', 'unavailable'] as const

/** Possible outcomes of a write: whether the data was stored, and what the caller is told. */
const writes = ['done', 'done, unknown', 'lost, unknown', 'failed'] as const
type Write = (typeof writes)[number]

const index = fc.nat(7)
// One backer submits often enough to exhaust its attempts.
const backer = fc.oneof(fc.constant(0), fc.nat(backers.length - 1), fc.nat(backers.length - 1))
const price = fc.oneof({ weight: 6, arbitrary: fc.nat(2) }, { weight: 2, arbitrary: fc.constantFrom(3, 4) })
const verdict = fc.constantFrom('accepted', ...verdicts)
const write = fc.constantFrom<Write>('done', 'done', 'done', ...writes)

const moveOf = <Kind extends string, Given extends object>(
  weight: number,
  kind: Kind,
  given: { [Name in keyof Given]: fc.Arbitrary<Given[Name]> },
) => ({ weight, arbitrary: fc.record(given).map((drawn) => ({ kind, ...drawn })) })

const move = fc.oneof(
  moveOf(40, 'submit', { backer, price }),
  moveOf(15, 'repeat', { index: fc.nat(30) }),
  moveOf(30, 'judge', { index, verdict }),
  // An attempt to accept a quote reaches the store. The answer arrives later.
  moveOf(35, 'store', { index, write }),
  moveOf(35, 'hear', { index }),
  // Another instance accepts a quote, which may also be pending on this instance.
  moveOf(6, 'elsewhere', { backer, same: fc.boolean() }),
  moveOf(8, 'read', {}),
  moveOf(8, 'hearRows', { index }),
  moveOf(4, 'overdue', { index }),
  moveOf(1, 'deadline', {}),
  moveOf(4, 'close', { write }),
  moveOf(4, 'closeElsewhere', {}),
  moveOf(4, 'closeOverdue', {}),
)
type Move = typeof move extends fc.Arbitrary<infer Drawn> ? Drawn : never

/**
 * Generates auction events on one instance of several. At its default size, fast-check would generate far shorter
 * arrays.
 */
export const moves = fc.array(move, { minLength: 40, maxLength: 140, size: 'max' })

/** An event and its effects. */
export type Step = {
  event: AuctionEvent
  effects: readonly AuctionEffect[]
  /** The states before and after the event. */
  before: AuctionState | null
  after: AuctionState | null
  /** The stored rows when the event occurred. */
  rows: AuctionRecord
}

/** All steps until every outcome is known. */
export type History = {
  steps: Step[]
  /** Quotes accepted by another instance. */
  elsewhere: ReadonlySet<Hex>
  rows: AuctionRecord
}

/** Creates the auction's rows, which behave like the store's. */
function createRows() {
  const quotes: AcceptedQuote[] = []
  let close: AuctionRecord['close'] = null
  const read = (): AuctionRecord => ({ ...record, quotes: [...quotes], close })
  return {
    isOver: false,
    read,
    accept(candidate: CandidateQuote): AcceptAnswer {
      const same = quotes.find(({ hash }) => hash === candidate.hash)
      if (same) return { status: 'accepted', seq: same.seq, receivedAt: same.receivedAt }
      if (close || this.isOver) return { status: 'closed', closedAt: close?.closedAt ?? rfq.closesAt }
      const ofMaker = quotes.find(({ quote }) => quote.maker === candidate.quote.maker)
      if (ofMaker) return { status: 'quoted', hash: ofMaker.hash }
      quotes.push({ ...candidate, seq: quotes.length + 1 })
      return { status: 'accepted', seq: quotes.length, receivedAt: candidate.receivedAt }
    },
    close(rejectedCount: number) {
      if (!this.isOver) return null
      const closedNow = close === null
      close ??= { closedAt: rfq.closesAt + 2, rejectedCount, interrupted: false }
      return { closedNow, auction: read() }
    },
  }
}

type Task<Type extends AuctionEffect['type']> = Extract<AuctionEffect, { type: Type }>

/** Applies moves to the rows, then continues until every outcome is known. Skips moves that do not apply. */
export function playHistory(given: readonly Move[]): History {
  const rows = createRows()
  const steps: Step[] = []
  const submissions: Submitted[] = []
  const judging: Task<'judge'>[] = []
  const toStore: Task<'accept'>[] = []
  const answers: AuctionEvent[] = []
  const read: AuctionEvent[] = []
  const closes: Task<'close'>[] = []
  const elsewhere = new Set<Hex>()
  let state: AuctionState | null = null

  const apply = (event: AuctionEvent) => {
    const before = state
    const { state: after, effects } = applyAuctionEvent(before, event)
    state = after
    steps.push({ event, effects, before, after, rows: rows.read() })
    judging.push(...effectsOf(effects, 'judge'))
    toStore.push(...effectsOf(effects, 'accept'))
    closes.push(...effectsOf(effects, 'close'))
    if (effectsOf(effects, 'readRows').length > 0) readRows()
  }
  const take = <T>(all: T[], at: number): T | undefined => all.splice(at % Math.max(all.length, 1), 1)[0]
  const submit = (event: Submitted) => {
    submissions.push(event)
    apply(event)
  }
  const readRows = () => read.push({ type: 'rowsRead', record: rows.read() })
  const store = ({ id, backer: maker, candidate }: Task<'accept'>, how: Write) => {
    const answer: AcceptAnswer =
      how === 'failed' ? { status: 'failed' } : how === 'lost, unknown' ? { status: 'unknown' } : rows.accept(candidate)
    answers.push({
      type: 'acceptAnswered',
      id,
      backer: maker,
      answer: how === 'done, unknown' ? { status: 'unknown' } : answer,
    })
  }
  const reachDeadline = () => {
    rows.isOver = true
    apply(deadlineReached)
  }
  const close = ({ rejectedCount }: Task<'close'>, how: Write) => {
    // The store reports whether a close arrived before the auction's deadline.
    const answer = how === 'done' || how === 'done, unknown' ? rows.close(rejectedCount) : null
    if (how === 'done') apply({ type: 'closeAnswered', answer })
    else apply({ type: 'closeFailed' })
  }

  /** Performs each kind of move. */
  const perform: { [Kind in Move['kind']]: (move: Extract<Move, { kind: Kind }>) => void } = {
    submit({ backer, price }) {
      submit(submitted(submissions.length + 1, backers[backer] as Address, prices[price]))
    },
    repeat({ index }) {
      const earlier = submissions[index % Math.max(submissions.length, 1)]
      if (!earlier) return
      const { backer, quote, hash } = earlier
      submit({ ...submitted(submissions.length + 1, backer), quote, hash })
    },
    judge({ index, verdict }) {
      const task = take(judging, index)
      const event = task && submissions.find(({ submission }) => submission === task.id)
      if (!event) return
      const rejections: Record<typeof verdict, Rejection | null> = {
        accepted: null,
        rejected: { code: 'QUOTE_CANCELLED', hash: event.hash },
        unavailable: { code: 'OVERLOADED' },
      }
      apply(judged(event, rejections[verdict]))
    },
    store({ index, write }) {
      const task = take(toStore, index)
      if (task) store(task, write)
    },
    hear({ index }) {
      const answer = take(answers, index)
      if (answer) apply(answer)
    },
    elsewhere({ backer, same }) {
      const maker = backers[backer] as Address
      const known = submissions.findLast((event) => event.backer === maker && event.quote.notional <= 1_000n)
      const { hash, quote, arrival } =
        same && known && known.quote.notional > 0n ? known : submitted(1_001 + submissions.length, maker, prices[0])
      const isNew = !rows.read().quotes.some((row) => row.hash === hash)
      // The quote reached the other instance later, so its rate differs.
      const answer = rows.accept(candidateOf(rfq, quote, hash, arrival + 7_000_000))
      if (isNew && answer.status === 'accepted') elsewhere.add(hash)
    },
    read: () => void readRows(),
    hearRows({ index }) {
      const event = take(read, index)
      if (event) apply(event)
    },
    overdue({ index }) {
      const task = toStore[index % Math.max(toStore.length, 1)]
      if (task) apply({ type: 'acceptOverdue', id: task.id, backer: task.backer })
    },
    deadline: reachDeadline,
    close({ write }) {
      const task = take(closes, 0)
      if (task) close(task, write)
    },
    closeElsewhere: () => void rows.close(5),
    closeOverdue: () => apply({ type: 'closeOverdue' }),
  }

  apply(opened)
  for (const one of given) perform[one.kind](one as never)

  // Runs the history to completion.
  reachDeadline()
  for (let task = take(closes, 0); task; task = take(closes, 0)) close(task, 'done')
  while (toStore.length + answers.length + read.length + judging.length > 0) {
    for (const task of toStore.splice(0)) store(task, 'done')
    for (const event of [...answers.splice(0), ...read.splice(0)]) apply(event)
    for (const task of judging.splice(0))
      apply({ type: 'quoteJudged', id: task.id, backer: task.backer, rejection: null })
  }
  return { steps, elsewhere, rows: rows.read() }
}

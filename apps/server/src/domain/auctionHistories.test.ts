import type { PublicRfqId } from '@firmquote/core'
import { drawSeed, type Met, playUntilMet } from '@firmquote/test-support/coverage'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { effectsOf, publicId, type Submitted } from '../../test/auctionEvents.ts'
import { type History, moves, playHistory, type Step } from '../../test/auctionHistories.ts'
import { applyAuctionEvent } from './applyAuctionEvent.ts'
import { auctionOutcome } from './auctionOutcome.ts'
import { auctionEvents, auctionResult } from './auctionRecord.ts'
import { type AuctionEffect, type AuctionState, type AuctionVerdict, knownRecord } from './auctionState.ts'

const check = (property: (history: History) => void, { seed = drawSeed(), numRuns = 150 } = {}) =>
  fc.assert(
    fc.property(moves, (given) => property(playHistory(given))),
    { seed, numRuns },
  )
/** Like `check`, but runs until each case has occurred at least `least` times. */
const checkUntilMet = <Case extends string>(
  cases: readonly Case[],
  least: number,
  property: (history: History, met: Met<Case>) => void,
) =>
  playUntilMet(Object.fromEntries(cases.map((name) => [name, least])) as Record<Case, number>, (seed, met) =>
    check((history) => property(history, met), { seed }),
  )

const effectsIn = ({ steps }: History): AuctionEffect[] => steps.flatMap(({ effects }) => effects)
const submissionsIn = ({ steps }: History): Submitted[] =>
  steps.flatMap(({ event }) => (event.type === 'quoteSubmitted' ? [event] : []))
const codeOf = (verdict: AuctionVerdict) => (verdict.ok ? 'accepted' : verdict.rejection.code)

/** Returns the quotes whose rows an event made known. */
function toldBy({ event, before }: Step): Hex[] {
  switch (event.type) {
    case 'acceptAnswered': {
      if (event.answer.status !== 'accepted' || !before) return []
      return before.entries.flatMap((bucket) =>
        [...(bucket?.values() ?? [])].flatMap(({ pending }) =>
          pending?.id === event.id ? [pending.candidate.hash] : [],
        ),
      )
    }
    case 'rowsRead':
      return event.record.quotes.map(({ hash }) => hash)
    case 'closeAnswered':
      return event.answer?.auction.quotes.map(({ hash }) => hash) ?? []
    default:
      return []
  }
}

describe('any history of an auction', () => {
  test("behavior: each submission is answered once, and accepted only after the store's answer", async () => {
    const cases = [
      ...(['accepted', 'AUCTION_CLOSED', 'ALREADY_QUOTED', 'NOTIONAL_TOO_LARGE', 'NOT_EXECUTABLE'] as const),
      ...(['QUOTE_CANCELLED', 'OVERLOADED', 'OUTCOME_UNKNOWN', 'STORAGE_UNAVAILABLE'] as const),
    ]
    await checkUntilMet([...cases, 'accepted by the close', 'accepted after a repetition'], 30, (history, met) => {
      const hashes = new Map(submissionsIn(history).map(({ submission, hash }) => [submission, hash]))
      const told = new Set<Hex>()
      const answered: number[] = []
      const acceptedOnce = new Set<Hex>()
      for (const step of history.steps) {
        for (const hash of toldBy(step)) told.add(hash)
        for (const { submission, verdict } of effectsOf(step.effects, 'ack')) {
          const hash = hashes.get(submission) as Hex
          answered.push(submission)
          met(codeOf(verdict) as 'accepted')
          if (!verdict.ok) continue
          expect(verdict.value.hash).toBe(hash)
          expect(told).toContain(hash)
          const row = step.rows.quotes.find((quote) => quote.hash === hash)
          expect(verdict.value.receivedAt).toBe(row?.receivedAt)
          if (step.event.type === 'closeAnswered') met('accepted by the close')
          if (acceptedOnce.has(hash)) met('accepted after a repetition')
          acceptedOnce.add(hash)
        }
      }
      expect(answered.sort((a, b) => a - b)).toEqual([...hashes.keys()])
    })
  })

  test('behavior: refused quotes are not in the rows, and quotes in the rows were not refused', async () => {
    await checkUntilMet(['refused', 'in the rows', 'not known', 'not known, and in the rows'], 5, (history, met) => {
      const hashes = new Map(submissionsIn(history).map(({ submission, hash }) => [submission, hash]))
      const last = new Map<Hex, string>()
      for (const { effects, rows } of history.steps) {
        const stored = new Set(rows.quotes.map(({ hash }) => hash))
        for (const { submission, verdict } of effectsOf(effects, 'ack')) {
          const hash = hashes.get(submission) as Hex
          const code = codeOf(verdict)
          // Quotes that another instance accepted may be unknown here. The hub checks the store before it refuses such
          // a quote.
          if (history.elsewhere.has(hash)) continue
          if (code === 'OUTCOME_UNKNOWN') met('not known')
          else if (code !== 'accepted') {
            expect({ code, isStored: stored.has(hash) }).toEqual({ code, isStored: false })
            met('refused')
          }
          last.set(hash, code)
        }
      }
      for (const { hash } of history.rows.quotes) {
        if (history.elsewhere.has(hash)) continue
        expect(['accepted', 'OUTCOME_UNKNOWN']).toContain(last.get(hash))
        met(last.get(hash) === 'accepted' ? 'in the rows' : 'not known, and in the rows')
      }
    })
  })

  test('behavior: while one quote of a backer may be stored, no other is judged; three attempts in all', async () => {
    await checkUntilMet(
      ['judged', 'refused while one may be stored', 'exhausted', 'judged after a service fault'],
      20,
      (history, met) => {
        const backerOf = new Map(submissionsIn(history).map(({ submission, backer }) => [submission, backer]))
        const attempts = new Map<Address, number>()
        for (const { event, before, after, effects } of history.steps) {
          if (event.type === 'opened') continue
          const acks = effectsOf(effects, 'ack')
          if (event.type === 'quoteSubmitted' && before) {
            const key = event.backer.toLowerCase()
            const entry = before.entries.flatMap((bucket) => bucket?.get(key) ?? [])[0]
            const [judge] = effectsOf(effects, 'judge')
            if (judge) {
              expect(entry?.pending ?? null).toBeNull()
              expect(entry?.accepted ?? null).toBeNull()
              expect(attempts.get(event.backer) ?? 0).toBeLessThan(3)
              met('judged')
            }
            const code = acks[0] && codeOf(acks[0].verdict)
            const { pending } = entry ?? {}
            if (pending && pending.candidate.hash !== event.hash) {
              expect(['ALREADY_QUOTED', 'OUTCOME_UNKNOWN', 'AUCTION_CLOSED', 'accepted']).toContain(code)
              if (pending.stage !== 'judging') met('refused while one may be stored')
            } else if (code === 'ALREADY_QUOTED' && !entry?.accepted) {
              expect(attempts.get(event.backer)).toBe(3)
              met('exhausted')
            } else if (code === 'NOTIONAL_TOO_LARGE' || code === 'NOT_EXECUTABLE') {
              attempts.set(event.backer, (attempts.get(event.backer) ?? 0) + 1)
            }
          } else {
            // A verdict counts as one attempt, no matter how many submissions still wait for it, even if none do.
            const refused = acks.find(({ verdict }) => codeOf(verdict) === 'QUOTE_CANCELLED')
            const isQuoted = event.type === 'acceptAnswered' && event.answer.status === 'quoted' && effects.length > 0
            const backer = isQuoted ? event.backer : backerOf.get(refused?.submission ?? -1)
            if (backer) attempts.set(backer, (attempts.get(backer) ?? 0) + 1)
            if (acks.some(({ verdict }) => codeOf(verdict) === 'OVERLOADED') && after?.phase === 'open') {
              met('judged after a service fault')
            }
          }
        }
      },
    )
  })

  test('behavior: the stream has every seq once, in order, and matches the rows', async () => {
    await checkUntilMet(['quote', 'told by the rows', 'told by the close', 'error'], 10, (history, met) => {
      const { rows } = history
      const emitted = effectsOf(effectsIn(history), 'emit').map(({ event }) => event)
      const events = emitted.filter(({ type }) => type !== 'error')
      expect(events).toEqual(auctionEvents(rows))
      expect(events.map(({ id }) => Number(id.split(':')[1]))).toEqual([...events.keys()])
      for (const { event, effects, before } of history.steps) {
        const quotes = effectsOf(effects, 'emit').filter((effect) => effect.event.type === 'quote')
        met('quote', quotes.length)
        if (event.type === 'rowsRead') met('told by the rows', quotes.length)
        if (event.type === 'closeAnswered') met('told by the close', quotes.length)
        for (const { event: error } of effectsOf(effects, 'emit')) {
          if (error.type !== 'error') continue
          expect(event.type).toBe('closeOverdue')
          expect(error.id).toBe(events[before?.acceptedCount ?? 0]?.id)
          met('error')
        }
      }
    })
  })

  test('behavior: it ends once, with the result that follows from the rows', async () => {
    await checkUntilMet(['closed here', 'closed elsewhere', 'tried again', 'late', 'rejected'], 5, (history, met) => {
      const effects = effectsIn(history)
      const { rows } = history
      expect(rows.close).not.toBeNull()
      const ends = effectsOf(effects, 'end')
      expect(ends).toHaveLength(1)
      expect(auctionResult(ends[0]?.record ?? rows)).toEqual(auctionResult(rows))
      const closes = effectsOf(effects, 'close')
      expect(closes.filter(({ repeated }) => !repeated)).toHaveLength(1)
      met('tried again', closes.length - 1)
      const outcomes = effectsOf(effects, 'broadcast').filter(({ subject }) => subject === 'auction_result')
      const closedHere = history.steps.some(({ event }) => event.type === 'closeAnswered' && event.answer?.closedNow)
      expect(outcomes).toHaveLength(closedHere ? 1 : 0)
      met(closedHere ? 'closed here' : 'closed elsewhere')
      for (const effect of outcomes) {
        if (effect.subject !== 'auction_result' || !rows.close) throw new TypeError('There is no close.')
        const { backers, ...result } = effect.outcome
        const { backers: ranked, ...expected } = auctionOutcome(rows, rows.close)
        expect(result).toEqual(expected)
        expect(backers).toMatchObject(ranked)
        // Every other backer's quote was judged or refused here and is not in the result.
        const asked = new Set(
          history.steps.flatMap(({ event }) => (event.type === 'quoteSubmitted' ? [event.backer.toLowerCase()] : [])),
        )
        for (const [backer, told] of Object.entries(backers)) {
          if (backer in ranked) continue
          expect(told).toEqual({ outcome: expect.stringMatching(/^(late|rejected)$/) })
          met(told.outcome as 'late' | 'rejected')
          expect(asked).toContain(backer)
        }
      }
      const { after } = history.steps.at(-1) as Step
      expect(knownRecord(after as AuctionState)).toEqual(rows)
      expect(after).toMatchObject({ phase: 'closed', judging: 0, rejectedCount: rows.close?.rejectedCount })
      // After the end, the only effects are answers.
      const end = history.steps.findIndex((step) => effectsOf(step.effects, 'end').length > 0)
      const behind = history.steps.slice(end + 1).flatMap((step) => step.effects)
      expect(behind.filter(({ type }) => type !== 'ack')).toEqual([])
    })
  })

  test('behavior: the close counts refused and unanswered submissions', async () => {
    await checkUntilMet(['refused', 'not answered', 'waiting twice'], 3, ({ steps }, met) => {
      let refused = 0
      const hashes = new Map<number, Hex>()
      for (const { event, effects, before } of steps) {
        if (event.type === 'quoteSubmitted') hashes.set(event.submission, event.hash)
        if (before?.phase !== 'open') continue
        for (const { submission, verdict } of effectsOf(effects, 'ack')) {
          if (verdict.ok) continue
          const { rejection } = verdict
          if (rejection.code === 'OUTCOME_UNKNOWN' && rejection.hash === hashes.get(submission)) continue
          refused += 1
        }
        const [close] = effectsOf(effects, 'close')
        if (!close) continue
        const judging = before.entries.flatMap((bucket) =>
          [...(bucket?.values() ?? [])].flatMap(({ pending }) =>
            pending?.stage === 'judging' ? [pending.waiting] : [],
          ),
        )
        expect(close.rejectedCount).toBe(refused + judging.flat().length)
        met('refused', refused)
        met('not answered', judging.flat().length)
        met('waiting twice', judging.filter(({ length }) => length > 1).length)
      }
    })
  })

  test('behavior: the ranking is by rate, then by notional, then by arrival', async () => {
    await checkUntilMet(['rate', 'notional', 'arrival', 'accepted in another order'], 20, ({ rows }, met) => {
      const { quotes } = auctionResult(rows)
      expect(quotes).toHaveLength(rows.quotes.length)
      const arrivals = new Map(rows.quotes.map(({ hash, arrival, seq }) => [hash, { arrival, seq }]))
      for (const [index, quote] of quotes.entries()) {
        const before = quotes[index - 1]
        if (!before) continue
        const [a, b] = [before.quote, quote.quote]
        const [left, right] = [a.vrtAmount * b.notional, b.vrtAmount * a.notional]
        expect(left <= right).toBe(true)
        if (left < right) met('rate')
        else if (a.notional !== b.notional) {
          expect(a.notional > b.notional).toBe(true)
          met('notional')
        } else {
          const [earlier, later] = [arrivals.get(before.hash), arrivals.get(quote.hash)]
          expect(earlier?.arrival).toBeLessThan(later?.arrival ?? 0)
          met('arrival')
          if ((earlier?.seq ?? 0) > (later?.seq ?? 0)) met('accepted in another order')
        }
      }
    })
  })

  test('behavior: a replay gives the same states and effects, and no state is ever changed', () => {
    check(
      ({ steps }) => {
        let state: AuctionState | null = null
        for (const step of steps) {
          const next = applyAuctionEvent(state, deepFreeze(step.event))
          state = deepFreeze(next.state)
          expect(deepFreeze(next.effects)).toEqual(step.effects)
        }
        expect(state).toEqual(steps.at(-1)?.after)
      },
      { numRuns: 40 },
    )
  })
})

test('behavior: every history is about one auction', () => {
  const ids = new Set<PublicRfqId>()
  check(({ rows }) => void ids.add(rows.publicRfqId), { numRuns: 5 })
  expect([...ids]).toEqual([publicId])
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

// Histories of calls on auctions, some at the same time, held against a model: whatever a store answers must be what some
// order of the calls that ran together gives. Each history has auctions of its own, so many of them share a store.

import { toRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { AuctionRecord } from '../../src/domain/auctionRecord.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../src/ports/errors.ts'
import type { AuctionEntry, KeyedAuction, NewAuctionQuote, Store } from '../../src/ports/store.ts'
import { nextTurn } from '../../src/scheduling/turnTask.ts'
import { acceptedQuotes, closesAt, hashOf, makerOf, newAuction, newAuctionQuote, openedAt } from '../storedQuotes.ts'

/** One call. Auctions, makers, quotes of a maker and keys go by their numbers within the history. */
type Call =
  | { do: 'open'; auction: number; key: number | null }
  | { do: 'accept'; auction: number; maker: number; quote: number; at: number }
  | { do: 'close'; auction: number; at: number }
  | { do: 'find'; auction: number }
  | { do: 'findEntry'; auction: number; maker: number }
  | { do: 'findByKey'; key: number }

/** Calls of one inner list are started in one tick, in their order. */
type History = readonly (readonly Call[])[]

/** What a history's store holds; never changed. */
type Model = { readonly auctions: Readonly<Record<number, ModelAuction>> }
type ModelAuction = {
  key: number | null
  quotes: readonly { maker: number; quote: number }[]
  close: { at: number; rejectedCount: number } | null
}

const [auctions, makers, keys] = [
  [0, 1],
  [0, 1, 2],
  [0, 1],
] as const
const times = [openedAt, closesAt - 1, closesAt, closesAt + 3] as const

const accounts = makers.map(makerOf)
const accountOf = (maker: number) => accounts[maker] ?? makerOf(maker)

/** The parts of the history with this number, by their own numbers; made once, since most are asked for many times. */
function namesOf(history: number) {
  const base = 10_000_000 + history * 100
  const request = (auction: number) => hashOf(base + 60 + auction)
  const keyOf = (key: number) => hashOf(base + 50 + key)
  const opened = auctions.map((auction) => newAuction(toRfqId((base + auction).toString(16).padStart(32, '0'))))
  const auctionOf = (auction: number, key: number | null = null) => {
    const { rfq, publicRfqId, backers } = opened[auction] ?? newAuction()
    return { rfq, publicRfqId, backers, key: key === null ? null : { key: keyOf(key), request: request(auction) } }
  }
  const quotes = new Map<number, NewAuctionQuote>()
  const quoteOf = (auction: number, maker: number, quote: number) => {
    const number = base + maker * 10 + quote
    const made = quotes.get(number) ?? newAuctionQuote(number, undefined, { maker: accountOf(maker) })
    quotes.set(number, made)
    return { ...made, publicRfqId: auctionOf(auction).publicRfqId }
  }
  return { auctionOf, keyOf, quoteOf, request }
}
type Names = ReturnType<typeof namesOf>

/** Performs a call on a store. */
function perform(store: Store, names: Names, call: Call): Promise<unknown> {
  switch (call.do) {
    case 'open':
      return store.openAuction(names.auctionOf(call.auction, call.key))
    case 'accept':
      return store.acceptQuote(names.quoteOf(call.auction, call.maker, call.quote), call.at)
    case 'close':
      // Who has closed it shows in what is kept.
      return store.closeAuction({
        publicRfqId: names.auctionOf(call.auction).publicRfqId,
        at: call.at,
        interrupted: false,
        rejectedCount: call.at - openedAt,
      })
    case 'find':
      return store.findAuction({ rfqId: names.auctionOf(call.auction).rfq.rfqId })
    case 'findEntry':
      return store.findAuctionEntry(names.auctionOf(call.auction).publicRfqId, accountOf(call.maker))
    case 'findByKey':
      return store.findAuctionByKey(names.keyOf(call.key), openedAt)
  }
}

/** What a call does to the model, and what it must answer. */
function step(model: Model, names: Names, call: Call): { model: Model; answer: unknown } {
  const found = call.do === 'findByKey' ? undefined : model.auctions[call.auction]
  const unchanged = (answer: unknown) => ({ model, answer })
  switch (call.do) {
    case 'open': {
      if (found) return unchanged({ opened: true })
      const existing = call.key === null ? null : keyed(model, names, call.key)
      if (existing) return unchanged({ opened: false, existing })
      return {
        model: withAuction(model, call.auction, { key: call.key, quotes: [], close: null }),
        answer: { opened: true },
      }
    }
    case 'accept': {
      if (!found) return unchanged({ status: 'unknown_auction' })
      const index = found.quotes.findIndex(({ maker }) => maker === call.maker)
      const own = found.quotes[index]
      const { receivedAt } = names.quoteOf(call.auction, call.maker, call.quote)
      if (own?.quote === call.quote) return unchanged({ status: 'accepted', seq: index + 1, receivedAt })
      if (found.close) return unchanged({ status: 'closed', closedAt: found.close.at })
      if (call.at >= closesAt) return unchanged({ status: 'closed', closedAt: closesAt })
      if (own) return unchanged({ status: 'quoted', hash: names.quoteOf(call.auction, own.maker, own.quote).hash })
      const quotes = [...found.quotes, { maker: call.maker, quote: call.quote }]
      return {
        model: withAuction(model, call.auction, { ...found, quotes }),
        answer: { status: 'accepted', seq: quotes.length, receivedAt },
      }
    }
    case 'close': {
      if (!found || (!found.close && call.at < closesAt)) return unchanged(null)
      const closed = found.close ? found : { ...found, close: { at: call.at, rejectedCount: call.at - openedAt } }
      return {
        model: withAuction(model, call.auction, closed),
        answer: { closedNow: !found.close, auction: recordOf(closed, names, call.auction) },
      }
    }
    case 'find':
      return unchanged(found ? recordOf(found, names, call.auction) : null)
    case 'findEntry':
      return unchanged(found ? entryOf(found, names, call) : null)
    case 'findByKey':
      return unchanged(keyed(model, names, call.key))
  }
}

function withAuction(model: Model, auction: number, changed: ModelAuction): Model {
  return { auctions: { ...model.auctions, [auction]: changed } }
}

function keyed(model: Model, names: Names, key: number): KeyedAuction | null {
  const auction = auctions.find((number) => model.auctions[number]?.key === key)
  return auction === undefined ? null : { rfqId: names.auctionOf(auction).rfq.rfqId, request: names.request(auction) }
}

function recordOf({ quotes, close }: ModelAuction, names: Names, auction: number): AuctionRecord {
  const { key: _, ...terms } = names.auctionOf(auction)
  return {
    ...terms,
    quotes: acceptedQuotes(quotes.map(({ maker, quote }) => names.quoteOf(auction, maker, quote))),
    close: close && { closedAt: close.at, rejectedCount: close.rejectedCount, interrupted: false },
  }
}

function entryOf(
  { quotes, close }: ModelAuction,
  names: Names,
  { auction, maker }: { auction: number; maker: number },
): AuctionEntry {
  const own = quotes.find((quote) => quote.maker === maker)
  const { hash, receivedAt } = names.quoteOf(auction, maker, own?.quote ?? 0)
  return { closesAt, closedAt: close?.at ?? null, accepted: own ? { hash, receivedAt } : null }
}

/** How often something came to pass, by its name: what a run has reached. */
export type Reached = Record<string, number>

/**
 * Runs histories against a store, so many together, and throws on the first answer that no order explains.
 *
 * @param options.first the number of the first history; no number may come twice in one store.
 * A call whose outcome is unknown is repeated until it is known; one that is refused must have left nothing.
 *
 * @returns how often each answer was given, how often the order of calls decided the answers (`order decided`), and how many
 * calls were `refused` or `unknown at first`.
 */
export async function checkAuctionHistories(
  store: Store,
  histories: readonly History[],
  { first = 0, together = 100 } = {},
): Promise<Reached> {
  const reached: Reached = {}
  const count = (name: string) => {
    reached[name] = (reached[name] ?? 0) + 1
  }
  for (let start = 0; start < histories.length; start += together) {
    await Promise.all(
      histories
        .slice(start, start + together)
        .map((history, index) => checkHistory(store, history, first + start + index, count)),
    )
  }
  return reached
}

async function checkHistory(store: Store, history: History, number: number, count: (name: string) => void) {
  const names = namesOf(number)
  const told: { call: Call; outcome: CallOutcome | undefined }[][] = []
  const closing = auctions.map((auction): Call => ({ do: 'close', auction, at: closesAt + 3 }))
  const last = auctions.map((auction): Call => ({ do: 'find', auction }))
  // All that the store may hold by now; more than one while nothing has told them apart.
  let possible: Model[] = [{ auctions: {} }]
  let ended: readonly CallOutcome[] = []
  for (const calls of [...history, closing, last]) {
    const outcomes = await Promise.all(calls.map((call) => performUntilKnown(store, names, call)))
    told.push(calls.map((call, index) => ({ call, outcome: outcomes[index] })))
    const wanted = textOf(outcomes.map(toldAnswer))
    const explained = new Map<string, Model>()
    const others = new Set<string>()
    for (const model of possible) {
      for (const order of ordersOf(calls.length)) {
        const after = play(model, names, calls, { order, outcomes })
        const text = textOf(after.answers)
        others.add(text)
        if (text === wanted) explained.set(JSON.stringify(after.model), after.model)
      }
    }
    if (explained.size === 0) {
      throw new TypeError(
        `No order of the calls gives these answers:\n${told.map(tell).join('\n')}\nexpected one of:\n${[...others].join('\n')}`,
      )
    }
    possible = [...explained.values()]
    if (others.size > 1) count('order decided')
    for (const outcome of outcomes) count(outcome.refused ? 'refused' : kindOf(outcome.answer))
    for (const { wasUnknown } of outcomes) if (wasUnknown) count('unknown at first')
    ended = outcomes
  }
  // The last look has left one, which is compared whole.
  for (const [auction, { answer }] of ended.entries()) {
    const found = possible[0]?.auctions[auction]
    if (found) expect(answer).toEqual(recordOf(found, names, auction))
  }
}

/**
 * What became of a call. `refused`: the store has said that nothing was stored. `wasUnknown`: it has said that it did not
 * know, and the call was repeated until it did.
 */
type CallOutcome = { answer: unknown; refused: boolean; wasUnknown: boolean }

async function performUntilKnown(store: Store, names: Names, call: Call): Promise<CallOutcome> {
  let wasUnknown = false
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    try {
      return { answer: await perform(store, names, call), refused: false, wasUnknown }
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
      if (error instanceof OutcomeUnknownError) wasUnknown = true
      // The refusal of a repetition says nothing about the call before, and one of a look, which changes nothing, leaves it open.
      else if (!wasUnknown && call.do !== 'find') return { answer: null, refused: true, wasUnknown }
    }
    await nextTurn()
  }
  throw new TypeError(`The store never knew what has become of ${textOf(call)}.`)
}

/** What was called together, and what came of it, a line each. */
function tell(together: readonly { call: Call; outcome: CallOutcome | undefined }[]): string {
  return together.map(({ call, outcome }) => `${textOf(call)} -> ${textOf(outcome)}\n`).join('')
}

/** The part of an answer that follows from the rows: a caller that has repeated a close may have closed it the first time. */
function toldAnswer({ answer, refused, wasUnknown }: CallOutcome): unknown {
  if (refused) return 'refused'
  return wasUnknown && isClose(answer) ? { ...answer, closedNow: 'unknown' } : answer
}

function isClose(answer: unknown): answer is { closedNow: boolean } {
  return typeof answer === 'object' && answer !== null && 'closedNow' in answer
}

function play(
  start: Model,
  names: Names,
  calls: readonly Call[],
  { order, outcomes }: { order: readonly number[]; outcomes: readonly CallOutcome[] },
) {
  let model = start
  const answers: unknown[] = calls.map(() => null)
  for (const index of order) {
    const [call, outcome] = [calls[index], outcomes[index]]
    if (!call || !outcome) continue
    const after = outcome.refused ? { model, answer: null } : step(model, names, call)
    model = after.model
    answers[index] = toldAnswer({ ...outcome, answer: after.answer })
  }
  return { model, answers }
}

const orders: readonly (readonly (readonly number[])[])[] = [
  [[]],
  [[0]],
  [
    [0, 1],
    [1, 0],
  ],
  [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ],
]
const ordersOf = (calls: number) => orders[calls] ?? []

/** The same for equal answers, whatever the order of their keys; of an auction all but what never changes. */
function textOf(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(textOf).join(' | ')
  if (answer === null || typeof answer !== 'object') return String(answer)
  if ('rfq' in answer) {
    const { rfq, backers, quotes, close } = answer as AuctionRecord
    const accepted = quotes.map(({ seq, hash, apr, receivedAt, arrival }) => [seq, hash, apr, receivedAt, arrival])
    return `${rfq.rfqId} ${backers} ${JSON.stringify(accepted)} ${textOf(close)}`
  }
  const parts = Object.entries(answer).map(([name, part]) => `${name}: ${textOf(part)}`)
  return `{ ${parts.sort().join(', ')} }`
}

function kindOf(answer: unknown): string {
  if (answer === null || typeof answer !== 'object') return String(answer)
  if ('status' in answer) return String(answer.status)
  if ('opened' in answer) return answer.opened ? 'opened' : 'existing'
  if ('closedNow' in answer) return answer.closedNow ? 'closed now' : 'closed before'
  return 'found'
}

// Mostly the auction that is open, and mostly before its end: what is left out before it is accepted says little.
const anAuction = fc.constantFrom(0, 0, ...auctions)
const aMaker = fc.constantFrom(0, 0, ...makers)
const aTime = fc.constantFrom(openedAt, openedAt, ...times)
const aCall: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('open'),
      auction: fc.constantFrom(...auctions),
      key: fc.constantFrom(null, ...keys),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('accept'),
      auction: anAuction,
      maker: aMaker,
      quote: fc.constantFrom(0, 1),
      at: aTime,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close'), auction: anAuction, at: fc.constantFrom(...times) }) },
  fc.record({ do: fc.constant('find'), auction: anAuction }),
  fc.record({ do: fc.constant('findEntry'), auction: anAuction, maker: aMaker }),
  fc.record({ do: fc.constant('findByKey'), key: fc.constantFrom(...keys) }),
) as fc.Arbitrary<Call>

/** Random histories; most begin with an auction that is open. */
export function randomAuctionHistories(count: number, seed: number): History[] {
  const round = fc.array(aCall, { minLength: 1, maxLength: 3, size: 'max' })
  const history = fc
    .tuple(fc.constantFrom(null, ...keys), fc.array(round, { minLength: 2, maxLength: 5, size: 'max' }))
    .map(([key, rounds]): History => [[{ do: 'open', auction: 0, key }], ...rounds])
  return fc.sample(history, { numRuns: count, seed })
}

/**
 * Every two and every three of the calls that may meet, on every state that an auction can be in: in every order, or once
 * where the order in which they are called decides nothing.
 */
export function everyMeeting(ordered: boolean): History[] {
  const accept = (maker: number, quote: number, at = openedAt): Call => ({ do: 'accept', auction: 0, maker, quote, at })
  const close = (at: number): Call => ({ do: 'close', auction: 0, at })
  const meeting: Call[] = [
    accept(0, 0),
    accept(0, 1),
    accept(1, 0, closesAt - 1),
    close(closesAt),
    close(closesAt + 3),
    { do: 'open', auction: 0, key: 0 },
    { do: 'open', auction: 1, key: 0 },
  ]
  const opened: Call = { do: 'open', auction: 0, key: 0 }
  const states: History[] = [[], [[opened]], [[opened], [accept(0, 0)]], [[opened], [accept(1, 0)], [close(closesAt)]]]
  const from = (index: number) => [...meeting.entries()].slice(ordered ? 0 : index)
  const pairs = from(0).flatMap(([first, a]) => from(first).map(([second, b]) => ({ second, calls: [a, b] })))
  const triples = pairs.flatMap(({ second, calls }) => from(second).map(([, c]) => [...calls, c]))
  return states.flatMap((state) => [...pairs.map(({ calls }) => calls), ...triples].map((calls) => [...state, calls]))
}

/** How many random histories are run, and whether calls meet in every order. */
export type Histories = { count: number; ordered: boolean }

/** What every store must do when calls meet. */
export function describeAuctionHistories(use: () => Store, { count, ordered }: Histories): void {
  describe('histories', () => {
    test('behavior: two or three calls at once are answered as in some order, whatever they find', async () => {
      const reached = await checkAuctionHistories(use(), everyMeeting(ordered))
      for (const name of [
        'accepted',
        'quoted',
        'closed',
        'unknown_auction',
        'existing',
        'closed now',
        'closed before',
      ]) {
        expect([name, (reached[name] ?? 0) > (ordered ? 100 : 40)]).toEqual([name, true])
      }
      expect(reached['order decided']).toBeGreaterThan(ordered ? 500 : 100)
    }, 60_000)

    test('behavior: random histories are answered as in some order of what ran together', async () => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      try {
        const reached = await checkAuctionHistories(use(), randomAuctionHistories(count, seed))
        for (const name of [
          'accepted',
          'quoted',
          'closed',
          'existing',
          'closed now',
          'closed before',
          'order decided',
        ]) {
          expect([name, (reached[name] ?? 0) > count / 100]).toEqual([name, true])
        }
      } catch (cause) {
        throw new TypeError(`The histories of seed ${seed} failed.`, { cause })
      }
    }, 60_000)
  })
}

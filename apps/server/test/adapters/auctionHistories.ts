// Compares histories of auction calls, some of them concurrent, with a model: a store's answers must be consistent with
// some order of the concurrent calls. Histories use separate auctions, so many can share a store.

import { toRfqId } from '@firmquote/core'
import { drawSeed } from '@firmquote/test-support/coverage'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { AuctionRecord } from '../../src/domain/auctionRecord.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../src/ports/errors.ts'
import type { AuctionEntry, KeyedAuction, NewAuctionQuote, Store } from '../../src/ports/store.ts'
import { yieldToEventLoop } from '../../src/scheduling/eventLoop.ts'
import { acceptedQuotes, closesAt, hashOf, makerOf, newAuction, newAuctionQuote, openedAt } from '../storedQuotes.ts'

/** A call. Auctions, makers, quotes and keys are numbered within the history. */
type Call =
  | { do: 'open'; auction: number; key: number | null }
  | { do: 'accept'; auction: number; maker: number; quote: number; at: number }
  | { do: 'close'; auction: number; at: number }
  | { do: 'find'; auction: number }
  | { do: 'findEntry'; auction: number; maker: number }
  | { do: 'findByKey'; key: number }

/** Calls in the same inner list start in the same tick, in order. */
type History = readonly (readonly Call[])[]

/** The state that a history has produced in the store. Immutable. */
type Model = { readonly auctions: Readonly<Record<number, ModelAuction>> }
type ModelAuction = { key: number | null; quotes: readonly ModelQuote[]; closedAt: number | null }
type ModelQuote = { maker: number; quote: number; at: number }

const [auctions, makers, keys] = [
  [0, 1],
  [0, 1, 2],
  [0, 1],
] as const
const times = [openedAt, closesAt - 1, closesAt, closesAt + 3] as const

/** A history's IDs and hashes, by the history's number. Memoized. */
function namesOf(history: number) {
  const base = 10_000_000 + history * 100
  const request = (auction: number) => hashOf(base + 60 + auction)
  const keyOf = (key: number) => hashOf(base + 50 + key)
  const opened = auctions.map((auction) => newAuction(toRfqId((base + auction).toString(16).padStart(32, '0'))))
  /** Each key implies a different number of backers, to distinguish the first opening from later ones. */
  const auctionOf = (auction: number, key: number | null = null) => {
    const { rfq, publicRfqId } = opened[auction] ?? newAuction()
    if (key === null) return { rfq, publicRfqId, backers: 9, key }
    return { rfq, publicRfqId, backers: key, key: { key: keyOf(key), request: request(auction) } }
  }
  const quotes = new Map<number, NewAuctionQuote>()
  /**
   * A quote with its arrival time. The quote's rate distinguishes it from the same quote with a different arrival time.
   */
  const quoteOf = (auction: number, { maker, quote, at }: ModelQuote) => {
    const number = base + maker * 10 + quote
    const made = quotes.get(number) ?? newAuctionQuote(number, undefined, { maker: makerOf(maker) })
    quotes.set(number, made)
    const { publicRfqId } = auctionOf(auction)
    return { ...made, publicRfqId, receivedAt: at, arrival: at * 1_000, apr: at - openedAt }
  }
  const closeOf = (auction: number, at: number) => {
    const { publicRfqId } = auctionOf(auction)
    return { publicRfqId, at, rejectedCount: at - openedAt, interrupted: at > closesAt }
  }
  return { auctionOf, keyOf, quoteOf, closeOf, request }
}
type Names = ReturnType<typeof namesOf>

type Deed<Kind extends Call['do']> = Extract<Call, { do: Kind }>

/** Functions that make each kind of call to a store. */
const performs: { [Kind in Call['do']]: (store: Store, names: Names, call: Deed<Kind>) => Promise<unknown> } = {
  open: (store, names, { auction, key }) => store.openAuction(names.auctionOf(auction, key)),
  accept: (store, names, call) => store.acceptQuote(names.quoteOf(call.auction, call), call.at),
  close: (store, names, { auction, at }) => store.closeAuction(names.closeOf(auction, at)),
  find: (store, names, { auction }) => store.findAuction({ rfqId: names.auctionOf(auction).rfq.rfqId }),
  findEntry: (store, names, { auction, maker }) =>
    store.findAuctionEntry(names.auctionOf(auction).publicRfqId, makerOf(maker)),
  findByKey: (store, names, { key }) => store.findAuctionByKey(names.keyOf(key), openedAt),
}

/** Returns the expected answer to each kind of call, and the new model if it changed. */
const steps: {
  [Kind in Call['do']]: (model: Model, names: Names, call: Deed<Kind>) => { answer: unknown; changed?: ModelAuction }
} = {
  open(model, names, { auction, key }) {
    if (model.auctions[auction]) return { answer: { opened: true } }
    const existing = key === null ? null : keyed(model, names, key)
    if (existing) return { answer: { opened: false, existing } }
    return { answer: { opened: true }, changed: { key, quotes: [], closedAt: null } }
  },
  accept(model, names, { auction, maker, quote, at }) {
    const found = model.auctions[auction]
    if (!found) return { answer: { status: 'unknown_auction' } }
    const index = found.quotes.findIndex((one) => one.maker === maker)
    const own = found.quotes[index]
    if (own?.quote === quote) return { answer: { status: 'accepted', seq: index + 1, receivedAt: own.at } }
    if (found.closedAt !== null) return { answer: { status: 'closed', closedAt: found.closedAt } }
    if (at >= closesAt) return { answer: { status: 'closed', closedAt: closesAt } }
    if (own) return { answer: { status: 'quoted', hash: names.quoteOf(auction, own).hash } }
    const quotes = [...found.quotes, { maker, quote, at }]
    return { answer: { status: 'accepted', seq: quotes.length, receivedAt: at }, changed: { ...found, quotes } }
  },
  close(model, names, { auction, at }) {
    const found = model.auctions[auction]
    if (!found || (found.closedAt === null && at < closesAt)) return { answer: null }
    const changed = { ...found, closedAt: found.closedAt ?? at }
    return { answer: { closedNow: found.closedAt === null, auction: recordOf(changed, names, auction) }, changed }
  },
  find(model, names, call) {
    const found = model.auctions[call.auction]
    return { answer: found ? recordOf(found, names, call.auction) : null }
  },
  findEntry(model, names, call) {
    const found = model.auctions[call.auction]
    return { answer: found ? entryOf(found, names, call) : null }
  },
  findByKey: (model, names, { key }) => ({ answer: keyed(model, names, key) }),
}

/** Applies a call to the model. Returns the new model and the expected answer. */
function step(model: Model, names: Names, call: Call): { model: Model; answer: unknown } {
  const { answer, changed } = steps[call.do](model, names, call as never)
  if (!changed || !('auction' in call)) return { model, answer }
  return { model: { auctions: { ...model.auctions, [call.auction]: changed } }, answer }
}

function keyed(model: Model, names: Names, key: number): KeyedAuction | null {
  const auction = auctions.find((number) => model.auctions[number]?.key === key)
  return auction === undefined ? null : { rfqId: names.auctionOf(auction).rfq.rfqId, request: names.request(auction) }
}

function recordOf({ key, quotes, closedAt }: ModelAuction, names: Names, auction: number): AuctionRecord {
  const { key: _, ...terms } = names.auctionOf(auction, key)
  const accepted = acceptedQuotes(quotes.map((quote) => names.quoteOf(auction, quote)))
  if (closedAt === null) return { ...terms, quotes: accepted, close: null }
  const { rejectedCount, interrupted } = names.closeOf(auction, closedAt)
  return { ...terms, quotes: accepted, close: { closedAt, rejectedCount, interrupted } }
}

function entryOf(
  { quotes, closedAt }: ModelAuction,
  names: Names,
  { auction, maker }: { auction: number; maker: number },
): AuctionEntry {
  const own = quotes.find((quote) => quote.maker === maker)
  return { closesAt, closedAt, accepted: own ? { hash: names.quoteOf(auction, own).hash, receivedAt: own.at } : null }
}

/** Occurrence counts by name. */
type Reached = Record<string, number>

/**
 * Runs several histories concurrently against a store. Throws on the first answer that no order of the calls can
 * explain.
 *
 * @param options.first the number of the first history. Numbers must be unique within a store. A call whose outcome is
 * unknown is retried until the outcome is known. A refused call must have changed nothing.
 *
 * @returns how often each answer occurred, how often the order of calls determined the answers (`order decided`), and
 * how many calls were `refused` or `unknown at first`.
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
  const told: string[] = []
  const closing = auctions.map((auction): Call => ({ do: 'close', auction, at: closesAt + 3 }))
  const last = auctions.map((auction): Call => ({ do: 'find', auction }))
  // All states that the store may be in. There may be several until an answer rules some out.
  let possible: Model[] = [{ auctions: {} }]
  let outcomes: readonly Outcome[] = []
  for (const calls of [...history, closing, last]) {
    outcomes = await Promise.all(calls.map((call) => performUntilKnown(store, names, call)))
    told.push(...outcomes.map(({ call, answer }) => `${textOf(call)} -> ${textOf(answer)}`), '')
    const wanted = textOf(outcomes.map(toldAnswer))
    const explained = new Map<string, Model>()
    const others = new Set<string>()
    for (const model of possible) {
      for (const order of orders[calls.length] ?? []) {
        const after = play(model, names, outcomes, order)
        const text = textOf(after.answers)
        others.add(text)
        if (text === wanted) explained.set(JSON.stringify(after.model), after.model)
      }
    }
    if (explained.size === 0) {
      const expected = [...others].join('\n')
      throw new TypeError(
        `No order of the calls gives these answers:\n${told.join('\n')}\nexpected one of:\n${expected}`,
      )
    }
    possible = [...explained.values()]
    if (others.size > 1) count('order decided')
    for (const { answer, refused, wasUnknown } of outcomes) {
      count(refused ? 'refused' : kindOf(answer))
      if (wasUnknown) count('unknown at first')
    }
  }
  // The last read leaves only one possible state, which is compared in full.
  for (const [auction, { answer }] of outcomes.entries()) {
    const found = possible[0]?.auctions[auction]
    if (found) expect(answer).toEqual(recordOf(found, names, auction))
  }
}

/**
 * The outcome of a call. `refused`: the store reported that nothing was stored. `wasUnknown`: the store reported an
 * unknown outcome, and the call was retried until it was known.
 */
type Outcome = { call: Call; answer: unknown; refused: boolean; wasUnknown: boolean }

async function performUntilKnown(store: Store, names: Names, call: Call): Promise<Outcome> {
  let wasUnknown = false
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    try {
      return { call, answer: await performs[call.do](store, names, call as never), refused: false, wasUnknown }
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error
      if (error instanceof OutcomeUnknownError) wasUnknown = true
      // A refused retry reveals nothing about the first call, and after a refused read the outcome is still unknown.
      else if (!wasUnknown && call.do !== 'find') return { call, answer: 'refused', refused: true, wasUnknown }
    }
    await yieldToEventLoop()
  }
  throw new TypeError(`The outcome of ${textOf(call)} remained unknown.`)
}

/**
 * Returns the part of an answer that depends on the rows. A caller that retried a close may have closed the auction on
 * the first attempt.
 */
function toldAnswer({ call, answer, wasUnknown }: Omit<Outcome, 'refused'>): unknown {
  return wasUnknown && call.do === 'close' && answer ? { ...answer, closedNow: 'unknown' } : answer
}

/** Applies all calls that were not refused to a model, in the given order. */
function play(start: Model, names: Names, outcomes: readonly Outcome[], order: readonly number[]) {
  let model = start
  const answers = outcomes.map(({ answer }) => answer)
  for (const index of order) {
    const outcome = outcomes[index]
    if (!outcome || outcome.refused) continue
    const after = step(model, names, outcome.call)
    model = after.model
    answers[index] = toldAnswer({ ...outcome, answer: after.answer })
  }
  return { model, answers }
}

const ordersOf = (indexes: readonly number[]): number[][] =>
  indexes.length === 0
    ? [[]]
    : indexes.flatMap((first) => ordersOf(indexes.filter((index) => index !== first)).map((rest) => [first, ...rest]))
/** The permutations of n calls, by n. */
const orders = [[], [0], [0, 1], [0, 1, 2]].map(ordersOf)

/** Returns a canonical string for an answer, without an auction's constant fields. */
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
  if ('accepted' in answer) return answer.accepted ? 'entry with a quote' : 'entry without a quote'
  return 'found'
}

// Most calls target the open auction before its end, because others rarely have an effect.
const auction = fc.constantFrom(0, 0, ...auctions)
const maker = fc.constantFrom(0, 0, ...makers)
const key = fc.constantFrom(...keys)
const quote = fc.constantFrom(0, 1)
const calls = (weight: number, arbitrary: fc.Arbitrary<Call>) => ({ weight, arbitrary })
const anyCall = fc.oneof(
  calls(
    3,
    fc.record({ do: fc.constant('open'), auction: fc.constantFrom(...auctions), key: fc.constantFrom(null, ...keys) }),
  ),
  calls(
    5,
    fc.record({ do: fc.constant('accept'), auction, maker, quote, at: fc.constantFrom(openedAt, openedAt, ...times) }),
  ),
  calls(2, fc.record({ do: fc.constant('close'), auction, at: fc.constantFrom(...times) })),
  calls(1, fc.record({ do: fc.constant('find'), auction })),
  calls(2, fc.record({ do: fc.constant('findEntry'), auction, maker })),
  calls(1, fc.record({ do: fc.constant('findByKey'), key })),
)

/** Random histories, most of which start with an open auction. */
export function randomAuctionHistories(count: number, seed: number): History[] {
  const round = fc.array(anyCall, { minLength: 1, maxLength: 3, size: 'max' })
  const history = fc
    .tuple(fc.constantFrom(null, ...keys), fc.array(round, { minLength: 2, maxLength: 5, size: 'max' }))
    .map(([key, rounds]): History => [[{ do: 'open', auction: 0, key }], ...rounds])
  return fc.sample(history, { numRuns: count, seed })
}

/**
 * Returns all pairs and triples of calls that may be concurrent, for every auction state: in every order, or only once
 * each if their order is irrelevant.
 */
function everyMeeting(ordered: boolean): History[] {
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
  const states: History[] = [
    [],
    [[opened]],
    [[opened], [accept(0, 0, closesAt - 1)]],
    [[opened], [accept(1, 0)], [close(closesAt)]],
  ]
  const from = (index: number) => [...meeting.entries()].slice(ordered ? 0 : index)
  const pairs = from(0).flatMap(([first, a]) => from(first).map(([second, b]) => ({ second, calls: [a, b] })))
  const triples = pairs.flatMap(({ second, calls }) => from(second).map(([, c]) => [...calls, c]))
  return states.flatMap((state) => [...pairs.map(({ calls }) => calls), ...triples].map((calls) => [...state, calls]))
}

/** The number of random histories, and whether to run concurrent calls in every order. */
export type Histories = { count: number; ordered: boolean }

const writesReached = ['accepted', 'quoted', 'closed', 'existing', 'closed now', 'closed before', 'order decided']

/** Concurrency tests for every store. */
export function describeAuctionHistories(use: () => Store, { count, ordered }: Histories): void {
  const expectReached = (reached: Reached, names: readonly string[], least: number) =>
    expect(names.filter((name) => (reached[name] ?? 0) <= least)).toEqual([])

  describe('histories', () => {
    test('behavior: the answers to two or three concurrent calls match some order', async () => {
      const reached = await checkAuctionHistories(use(), everyMeeting(ordered))
      expectReached(reached, [...writesReached, 'unknown_auction'], ordered ? 100 : 40)
      expectReached(reached, ['order decided'], ordered ? 500 : 100)
    }, 60_000)

    test('behavior: the answers to random histories match some order of the concurrent calls', async () => {
      const seed = drawSeed()
      try {
        const reached = await checkAuctionHistories(use(), randomAuctionHistories(count, seed))
        expectReached(reached, [...writesReached, 'entry with a quote', 'entry without a quote'], count / 100)
      } catch (cause) {
        throw new TypeError(`The histories of seed ${seed} failed.`, { cause })
      }
    }, 60_000)
  })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ChainUnavailableError,
  hashQuote,
  type PublicRfqId,
  type RFQResult,
  type RFQStreamEvent,
  type SignedQuote,
} from '@firmquote/core'
import { createCoverage } from '@firmquote/test-support/coverage'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect } from '@jest/globals'
import { type Address, bytesToHex, type Hex, maxUint256, zeroAddress, zeroHash } from 'viem'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../src/adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../src/adapters/inProcessQuotas.ts'
import { createAuctionHub } from '../src/app/auctions/auctionHub.ts'
import { createMakerChecks } from '../src/app/quotes/makerChecks.ts'
import type { AuctionHub, FollowedAuction, SubmissionVerdict } from '../src/app/service.ts'
import type { ServiceDeps, ServiceLimits } from '../src/app/serviceDeps.ts'
import { watchStorage } from '../src/app/storageWatch.ts'
import { quoteRules } from '../src/domain/quoteRules.ts'
import { publicRfqId } from '../src/domain/rfqIds.ts'
import type { Chain } from '../src/ports/chain.ts'
import { openForgetfulStore, writeFates } from './forgetfulStore.ts'
import { createRandomInteger } from './randomQuotes.ts'
import { makerOf, poolId, seriesKey } from './storedQuotes.ts'

// Histories of auctions on the real hub and the real SQLite store, whose writer loses answers. Time is a fake clock's, and
// the chain, which is not what is tried here, answers from memory and sometimes late. A history is one auction: a borrower
// who opens it with or without a key and follows it, and three backers who send quotes up to its end and beyond, the same
// one twice at once, another one before the first is judged, and again when they are told that nothing is known.

const auctionMs = 2_000
/** So many histories share the hub and its store at a time: a loss hits all that is under way. */
const together = 50
const makers = Array.from({ length: 12 }, (_, index) => makerOf(index))
const domain = { chainId: 8453, quoteMarket: makerOf(100) } as const
const notional = 1_000n

/** What histories must have met. */
const cases = [
  ...writeFates,
  'accepted',
  'accepted again',
  'accepted after the deadline',
  'told unknown, then accepted',
  'told unknown, then refused',
  'nothing stored, then accepted',
  'nothing stored, and never sent again',
  'closed',
  'already quoted',
  'refused by the chain',
  'opened again with its key',
  'followed again',
  'result overdue',
] as const
type Case = (typeof cases)[number]

/** A quote of a maker in an auction, and all that its maker was told of it. */
type Sent = { maker: Address; quote: SignedQuote; hash: Hex; verdicts: SubmissionVerdict[]; waiting: number }

/** Plays histories, and throws on the first in which a row and an answer disagree. Gives how many it played. */
export async function playUnknownCommits(count: number, seed: number): Promise<number> {
  const random = createRandomInteger(seed)
  const least = Math.max(1, Math.floor(count / 1_000))
  const coverage = createCoverage(Object.fromEntries(cases.map((name) => [name, least])) as Record<Case, number>)
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-unknown-'))
  const clock = createFakeClock()
  const forgetful = await openForgetfulStore(join(folder, 'firmquote.db'), { clock, random, onFate: coverage.met })
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const { store, watch } = watchStorage(forgetful.store, { clock, log })
  const bus = createInProcessBus({
    onError: (error) => {
      throw error
    },
  })
  const expiry = Math.floor(clock.now() / 1_000) + 86_400 * 365
  const block = { number: 1n, hash: `0x${'11'.repeat(32)}` as Hex, timestamp: BigInt(Math.floor(clock.now() / 1_000)) }
  const signers = new Map<Hex, Address>()
  const limits: ServiceLimits = {
    bodyBytes: 16_384,
    rfqsPerMinute: 1e9,
    openRfqs: 1e9,
    openAuctions: 1e9,
    storedQuotesPerMaker: 1_000,
    socketsPerBacker: 3,
    ...quoteRules,
    dustDivisor: 1e18,
    dustLimits: new Map(),
    runningJudgements: 1e9,
  }
  const deps: ServiceDeps = {
    clock,
    store,
    bus,
    log,
    domain,
    interestRatePool: makerOf(101),
    chain: chainThatAnswers(async (queries) => {
      // Late verdicts meet the deadline.
      const delayMs = random(3) === 0 ? random(600) : 0
      if (delayMs > 0) await new Promise<void>((resolve) => clock.after(delayMs, resolve))
      return {
        block,
        states: queries.map(({ hash, quote, signer }) => ({
          block,
          hash,
          makerNonce: quote.nonce,
          status: quote.vrtAmount % 10n === 0n ? ('cancelled' as const) : ('open' as const),
          loanToken: makerOf(102),
          series: { poolId, expiry, cap: 10n ** 18n, outstanding: 0n },
          capacity: 10n ** 18n,
          balance: 10n ** 18n,
          allowance: 10n ** 18n,
          recovered: signer,
          preview: null,
        })),
      }
    }),
    signatures: {
      hashQuote: (quote) => hashQuote(quote, domain),
      recoverSigner: async (digest) => ({ signer: signers.get(digest) ?? zeroAddress }),
    },
    random: (bytes) => Uint8Array.from({ length: bytes }, () => random(256)),
    limits,
    quotas: createInProcessQuotas(clock, limits),
    presence: createInProcessPresence(limits.socketsPerBacker),
    sync: { deployBlock: 0, intervalMs: 1_000, headDegradedSeconds: 1e9, headStaleSeconds: 1e9 },
    auctionDurationMs: auctionMs,
  }
  await store.applyBlocks({
    after: null,
    cursor: block,
    blocks: [block],
    keep: 10,
    at: 0,
    events: [
      { type: 'poolCreated', poolId, loanToken: makerOf(102), adapter: makerOf(103), market: poolId } as const,
      { type: 'seriesCreated', poolId, seriesKey, expiry, cap: 10n ** 18n } as const,
    ].map((fact, logIndex) => ({
      blockNumber: block.number,
      blockHash: block.hash,
      logIndex,
      transactionHash: block.hash,
      fact,
    })),
  })
  const status = { head: block, synced: block, lagSeconds: 0, failing: false, state: 'ok' } as const
  const hub = createAuctionHub(
    { ...deps, ...createMakerChecks(deps) },
    { sync: { status: () => status, cycle: async () => {} }, storage: watch },
  )
  await hub.resume()
  const outcomes = makers.map((address) => {
    const heard = new Map<string, number>()
    hub.join({
      address,
      send(frame) {
        const { type, rfqId } = JSON.parse(frame) as { type: string; rfqId: string }
        if (type === 'auction_result') heard.set(rfqId, (heard.get(rfqId) ?? 0) + 1)
      },
    })
    return heard
  })

  /** The auctions whose end every backer must hear of. */
  const told: PublicRfqId[] = []
  const after = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve))
  const signedQuote = (maker: Address): SignedQuote => {
    const quote: SignedQuote = {
      maker,
      taker: zeroAddress,
      poolId,
      seriesKey,
      notional,
      vrtAmount: BigInt(1 + random(40)),
      nonce: 0n,
      deadline: BigInt(Math.floor(clock.now() / 1_000)) + 3_600n,
      salt: bytesToHex(Uint8Array.from({ length: 32 }, () => random(256))),
      signature: `0x${'55'.repeat(65)}`,
    }
    return quote
  }

  /** One auction from its opening to what is left of it. */
  const playHistory = async (number: number): Promise<void> => {
    await after(random(300))
    const key = random(4) === 0 ? null : `history-${seed}-${number}-${'k'.repeat(16)}`
    const auction = await openUntilDone(number, key)
    const events: RFQStreamEvent[] = []
    const followed = followUntilDone(auction, events)
    const first = random(makers.length)
    const sent: Sent[] = []
    const backers = [0, 1, 2].map((place) =>
      playBacker(auction, makers[(first + place) % makers.length] as Address, sent),
    )
    await Promise.all([followed, ...backers])
    await expectAgreement(auction, events, sent)
  }

  const openUntilDone = async (number: number, key: string | null): Promise<FollowedAuction> => {
    for (let attempt = 0; ; attempt += 1) {
      const requester = { address: `requester ${number}`, ...(key !== null && { key }) }
      const outcome = await hub.open({ poolId, seriesKey, notional }, requester)
      if (outcome.ok) {
        if (attempt > 0 && key !== null) coverage.met('opened again with its key')
        return outcome.value
      }
      expect(outcome.rejection.code).toBe('STORAGE_UNAVAILABLE')
      await after(50 + random(300))
    }
  }

  /** Follows as the SDK does: behind the last event, until it is done. */
  const followUntilDone = async (auction: FollowedAuction, events: RFQStreamEvent[]): Promise<void> => {
    let followed: FollowedAuction | null = auction
    for (;;) {
      await new Promise<void>((resolve) => {
        followed?.listen(
          {
            event(event) {
              if (event.type !== 'error') events.push(event)
              else coverage.met('result overdue')
            },
            end: resolve,
          },
          events.length - 1,
        )
      })
      if (events.at(-1)?.type === 'done') return
      coverage.met('followed again')
      await after(random(300))
      followed = await hub.follow(auction.rfq.rfqId)
    }
  }

  const playBacker = async (auction: FollowedAuction, maker: Address, sent: Sent[]): Promise<void> => {
    const { rfqId, closesAt } = auction.rfq
    const publicId = publicRfqId(rfqId)
    const create = (): Sent => {
      const quote = signedQuote(maker)
      const hash = hashQuote(quote, domain)
      signers.set(hash, maker)
      const created: Sent = { maker, quote, hash, verdicts: [], waiting: 0 }
      sent.push(created)
      return created
    }
    const submit = async (quote: Sent): Promise<SubmissionVerdict> => {
      quote.waiting += 1
      const verdict = await hub.submit({ backer: maker, rfqId: publicId, quote: quote.quote })
      quote.waiting -= 1
      if (verdict.ok) {
        coverage.met(quote.verdicts.some(({ ok }) => ok) ? 'accepted again' : 'accepted')
        if (clock.now() > closesAt) coverage.met('accepted after the deadline')
      } else if (verdict.rejection.code !== 'OUTCOME_UNKNOWN' && quote.waiting === 0) {
        // A refusal is the truth at once, not only at the end.
        const entry = await store.findAuctionEntry(publicId, maker)
        if (entry?.accepted?.hash === quote.hash) {
          throw new TypeError(`A quote was refused with ${verdict.rejection.code}, and its row is there.`)
        }
      }
      quote.verdicts.push(verdict)
      return verdict
    }
    /** Sends a quote again as long as its maker cannot know what has become of it. */
    const settle = async (quote: Sent): Promise<SubmissionVerdict> => {
      for (;;) {
        const verdict = await submit(quote)
        if (verdict.ok) return verdict
        const { code } = verdict.rejection
        const isUnknown = code === 'OUTCOME_UNKNOWN'
        if (!isUnknown && (code !== 'STORAGE_UNAVAILABLE' || random(2) === 0)) return verdict
        await after(random(isUnknown ? 1_000 : 200))
      }
    }

    await after(random(4) === 0 ? auctionMs - 60 + random(120) : random(auctionMs))
    const one = create()
    const verdicts = [settle(one)]
    if (random(3) === 0) verdicts.push(after(random(50)).then(() => settle(one)))
    if (random(3) === 0) verdicts.push(after(random(100)).then(() => settle(create())))
    const [verdict] = await Promise.all(verdicts)
    // Another quote, where the first one is refused for good.
    if (verdict && !verdict.ok && random(2) === 0) await settle(create())
    else if (verdict?.ok && random(2) === 0) await after(random(auctionMs)).then(() => settle(one))
  }

  const expectAgreement = async (
    { rfq, backers }: FollowedAuction,
    events: readonly RFQStreamEvent[],
    sent: readonly Sent[],
  ): Promise<void> => {
    const result = (await hub.find(rfq.rfqId)) as RFQResult
    const rows = new Map(result.quotes.map((quote) => [quote.hash, quote]))
    expect({ status: result.status, backers: result.backers }).toEqual({ status: 'closed', backers })
    expect(new Set(result.quotes.map(({ quote }) => quote.maker)).size).toBe(rows.size)
    expect(result.quotes.every(({ hash }) => sent.some((quote) => quote.hash === hash))).toBe(true)
    for (const { hash, verdicts } of sent) {
      const row = rows.get(hash)
      const codes = verdicts.map((verdict) => (verdict.ok ? 'ok' : verdict.rejection.code))
      const receivedAt = verdicts.flatMap((verdict) => (verdict.ok ? [verdict.value.receivedAt] : []))
      if (row ? receivedAt.length === 0 || receivedAt.some((at) => at !== row.receivedAt) : receivedAt.length > 0) {
        throw new TypeError(`A row and its answers disagree: ${row ? 'there' : 'not there'}, ${codes.join(', ')}.`)
      }
      const unknownFirst = codes.includes('OUTCOME_UNKNOWN')
      if (unknownFirst) coverage.met(row ? 'told unknown, then accepted' : 'told unknown, then refused')
      if (codes.includes('STORAGE_UNAVAILABLE') && row) coverage.met('nothing stored, then accepted')
      if (codes.at(-1) === 'STORAGE_UNAVAILABLE') coverage.met('nothing stored, and never sent again')
      if (codes.includes('AUCTION_CLOSED')) coverage.met('closed')
      if (codes.includes('ALREADY_QUOTED')) coverage.met('already quoted')
      if (codes.includes('QUOTE_CANCELLED')) coverage.met('refused by the chain')
    }
    // The stream is the rows, each once and in order.
    expect(events.map(({ id }) => id)).toEqual(events.map((_, place) => `${rfq.rfqId}:${place}`))
    const [started, ...rest] = events
    const done = rest.pop()
    expect([started?.type, done?.type]).toEqual(['started', 'done'])
    expect(rest.map(({ data }) => (data as { hash: Hex }).hash).sort()).toEqual([...rows.keys()].sort())
    expect(done?.data).toMatchObject({ ranking: result.quotes.map(({ hash }) => hash), closedAt: result.closedAt })
    told.push(publicRfqId(rfq.rfqId))
  }

  try {
    let played = 0
    while (played < count) {
      const batch = Array.from({ length: Math.min(together, count - played) }, (_, index) =>
        playHistory(played + index),
      )
      await runToEnd(Promise.all(batch), clock)
      // What many are told is sent over several turns.
      await runToEnd(after(100), clock)
      for (const rfqId of told.splice(0)) {
        expect([rfqId, ...outcomes.map((heard) => heard.get(rfqId))]).toEqual([rfqId, ...makers.map(() => 1)])
      }
      played += batch.length
      signers.clear()
    }
    // What was opened for nobody, because its borrower had no key, has ended as well.
    forgetful.heal()
    await runToEnd(endAll(hub, store, after), clock)
    if (count >= 1_000) expect(coverage.rare()).toEqual([])
    return played
  } catch (cause) {
    throw new TypeError(`Histories of seed ${seed}: ${(cause as Error).message}`, { cause })
  } finally {
    hub.stop()
    watch.stop()
    await bus.close()
    await forgetful.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function endAll(
  hub: AuctionHub,
  store: ServiceDeps['store'],
  after: (ms: number) => Promise<void>,
): Promise<void> {
  while ((await store.listOpenAuctions()).length > 0 || hub.count().open > 0) await after(1_000)
}

/** Lets the clock run until everything has ended, with turns of the event loop in between for what waits for none. */
async function runToEnd<T>(all: Promise<T>, clock: { advance(ms: number): void }): Promise<T> {
  let settled = false
  const end = () => {
    settled = true
  }
  all.then(end, end)
  for (let step = 0; !settled; step += 1) {
    // Ten minutes of the fake clock.
    if (step > 60_000) throw new TypeError('The histories do not end.')
    for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
    clock.advance(10)
  }
  return all
}

function chainThatAnswers(readQuoteStates: Chain['readQuoteStates']): Chain {
  const unavailable = () => Promise.reject(new ChainUnavailableError('There is no chain.'))
  return {
    readHead: unavailable,
    readFinalized: unavailable,
    readBlocks: unavailable,
    readChainId: unavailable,
    readEvents: unavailable,
    readBlockLogs: unavailable,
    readGenesisHash: unavailable,
    readKnownQuotes: unavailable,
    // What the auctions of the histories ask for always fits.
    readCapacities: async (seriesKeys) => ({
      block: { number: 1n, hash: zeroHash, timestamp: 0n },
      capacities: new Map(seriesKeys.map((key) => [key, maxUint256])),
    }),
    readSignatures: async (signatures) => signatures.map(() => null),
    readFunds: unavailable,
    readMarkets: unavailable,
    readAccount: unavailable,
    readRates: unavailable,
    readDebt: unavailable,
    readTakerSignature: async () => null,
    readQuoteStates,
  }
}

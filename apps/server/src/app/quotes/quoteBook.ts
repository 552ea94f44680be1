import {
  InvalidInputError,
  judgeTerms,
  type QuoteFilters,
  type QuotePage,
  type QuoteState,
  type QuoteStatus,
  quoteApr,
  quoteEffectiveApy,
  type Rejection,
  type RFQObservation,
  type SignedQuote,
  type StoredQuote,
} from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import { encodeJson } from '@firmquote/core/utils'
import { type Address, getAddress, type Hex, zeroAddress } from 'viem'
import { minNotionalOf } from '../../domain/minNotionalOf.ts'
import { rateTime } from '../../domain/rateTime.ts'
import type { ListedRecord, QuoteRecord } from '../../ports/store.ts'
import { chainNow, quoteTime } from '../chain/chainNow.ts'
import type { Sync } from '../chain/sync.ts'
import { createJoinMakers } from '../control/bans.ts'
import type { Halts } from '../control/halts.ts'
import type { Outcome } from '../outcome.ts'
import { type JudgedQuote, judgeQuote } from './judgeQuote.ts'
import type { JudgingDeps } from './makerChecks.ts'
import { createOpenQuotes } from './openQuotes.ts'
import { createPublicRecord } from './publicRecord.ts'
import { createQuoteListing, type ListedVerdict, type ListingEntry, reasonOf } from './quoteListing.ts'
import type { QuoteRates } from './quoteRates.ts'
import type { QuoteStateQueries } from './quoteStateQueries.ts'
import { quoteStatusAt } from './quoteStatus.ts'
import type { UnfundedMakers } from './unfundedMakers.ts'

/**
 * A page of quotes. `text` is wire-format JSON. Without a verdict, `text` contains the whole record; otherwise, it
 * contains only `hash`, `quote`, `apr` as of the creation, and `createdAt`.
 */
export type ListedPage = {
  quotes: { text: string; judged?: { status: QuoteStatus; rates: QuoteRates; verdict: ListedVerdict } }[]
  nextCursor: string | null
}

/** The published quotes. */
export type QuoteBook = {
  /**
   * Judges and stores a signed quote. `created` is false if a quote with this hash was already published.
   *
   * @param network the sender's network, which is the key for the limit on contract signature checks. By default, all
   * senders share one key.
   */
  submit(quote: SignedQuote, network?: string): Promise<Outcome<{ created: boolean; record: StoredQuote }>>
  list(filters: QuoteFilters): Promise<QuotePage>
  /** Returns the same page with quotes as stored JSON, which need not be encoded. */
  listTexts(filters: QuoteFilters): Promise<ListedPage>
  find(hash: Hex): Promise<StoredQuote | null>
  /** Returns recent auction observations, each flagged as executable or not. */
  observations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<RFQObservation[]>
}

/** Maximum number of store pages that a listing reads to find quotes that have not ended. */
const maxPages = 10

/** Creates the book. Its listings omit quotes that have ended as of the block read. */
export function createQuoteBook(
  deps: JudgingDeps & { quoteStateQueries: QuoteStateQueries; unfundedMakers: UnfundedMakers; halts: Halts },
  sync: Pick<Sync, 'status'>,
): QuoteBook {
  const { chain, clock, store, signatures, quoteStateQueries, unprovenMakers, unfundedMakers, bans } = deps
  const { limits, halts, isShared = false } = deps
  const time = () => quoteTime(clock, sync)
  const publicRecord = createPublicRecord(time)
  const openQuotes = createOpenQuotes(store, clock)
  const joinMakers = createJoinMakers()
  const listQuotes = createQuoteListing(deps, time)
  const lifetime = { min: limits.minQuoteLifetimeSeconds, max: limits.maxQuoteLifetimeSeconds }
  const dustRule = { divisor: limits.dustDivisor, limits: limits.dustLimits }
  let judging = 0

  const publish = async (judged: JudgedQuote): ReturnType<QuoteBook['submit']> => {
    const { quote, hash } = judged
    const verdict = await judgeQuote(deps, judged)
    // The operator may have banned the maker during the reads.
    const banned = bans.rejection(quote.maker)
    if (banned) return reject(banned)
    if (verdict.rejection) return reject(verdict.rejection)
    const { series, loanToken } = verdict.state
    if (series === null || loanToken === null)
      return reject({ code: 'SERIES_NOT_FOUND', poolId: quote.poolId, seriesKey: quote.seriesKey, available: null })
    const least = minNotionalOf({ cap: series.cap, loanToken }, dustRule)
    if (quote.notional < least) return reject({ code: 'NOTIONAL_TOO_SMALL', notional: quote.notional, limit: least })
    const halted = halts.quoteRejection(quote)
    if (halted) return reject(halted)
    const createdAt = Math.floor(clock.now())
    const at = Math.min(Math.floor(createdAt / 1000), series.expiry - 1)
    const apr = quoteApr(quote, series.expiry, at)
    const most = limits.storedQuotesPerMaker
    const publication = await store.insertQuote({ hash, quote, apr, createdAt }, { most, now: time() })
    if (publication.record === null) {
      openQuotes.refused(quote.maker, publication.open)
      return reject({ code: 'TOO_MANY_OPEN', open: publication.open, limit: most })
    }
    const { created, record } = publication
    // An auction may have accepted the quote since the lookup.
    if (!record.listed) return reject({ code: 'QUOTE_PRIVATE', hash })
    if (created) openQuotes.added(quote.maker)
    return {
      ok: true,
      value: { created, record: publicRecord({ ...record, seriesExpiry: series.expiry }, verdict.unproven) },
    }
  }

  const labelledRecord = async (kept: QuoteRecord): Promise<StoredQuote> => {
    const [unproven] = await unprovenMakers(await quoteStateQueries([kept]))
    return publicRecord(kept, unproven)
  }

  /** Makers that cannot fund any quote in a list. */
  const listUnfunded = async ({ poolId, seriesKey, minNotional }: QuoteFilters): Promise<readonly Address[]> => {
    const [pools, all] = await Promise.all([store.listPools(), store.listSeries()])
    const series = all.filter(
      (item) => (seriesKey ?? item.seriesKey) === item.seriesKey && (poolId ?? item.poolId) === item.poolId,
    )
    const tokens = new Map(pools.map((pool) => [pool.poolId, pool.loanToken]))
    const least = series.map(({ poolId, cap }) =>
      minNotionalOf({ cap, loanToken: tokens.get(poolId) ?? zeroAddress }, dustRule),
    )
    const smallest = least.reduce<bigint | null>((low, amount) => (low === null || amount < low ? amount : low), null)
    const listed = [...new Set(series.flatMap(({ poolId }) => tokens.get(poolId) ?? []))]
    return unfundedMakers.unfunded(listed, minNotional ?? smallest ?? 1n)
  }

  const listPage = async (filters: QuoteFilters): Promise<{ quotes: ListingEntry[]; nextCursor: string | null }> => {
    let { cursor } = filters
    const withoutSeries = await halts.series()
    const { poolId, seriesKey } = filters
    const isHalted =
      (seriesKey !== undefined && withoutSeries.has(seriesKey)) ||
      (poolId !== undefined && halts.quoteRejection({ poolId }) !== null)
    if (isHalted) return { quotes: [], nextCursor: null }
    const isHidden = (record: ListedRecord) => halts.quoteRejection(record.parse().quote) !== null
    // Otherwise, a single balance moved through many accounts could fill the start of the list.
    const fundedOnly = filters.sort === 'rate' && filters.maker === undefined && filters.taker === undefined
    for (let pages = 1; ; pages += 1) {
      const unfunded = fundedOnly && unfundedMakers.count() > 0 ? await listUnfunded(filters) : []
      const banned = bans.makers()
      const asked = { ...filters, withoutSeries, ...(cursor === undefined ? {} : { cursor }) }
      const page = await store.listQuotes(asked, time(), joinMakers(unfunded, banned))
      const { nextCursor } = page
      const ofOpenMarkets = withoutSeries.size === 0 ? page.quotes : page.quotes.filter((record) => !isHidden(record))
      const quotes = await listQuotes(withoutMakers(ofOpenMarkets, banned), { fundedOnly })
      if (quotes.length > 0 || nextCursor === null || pages === maxPages) return { quotes, nextCursor }
      cursor = nextCursor
    }
  }

  /** Lists a maker's inactive quotes; returns null if the filters ask for active ones. */
  const listPast = async ({ status = 'active', maker, limit, cursor, ...others }: QuoteFilters) => {
    if (status === 'active') return null
    if (maker === undefined) {
      throw new InvalidInputError(`is required with status ${status}.`, { path: 'maker' })
    }
    const [other] = Object.keys(others)
    if (other !== undefined) {
      throw new InvalidInputError(`applies to active quotes only: omit it with status ${status}.`, { path: other })
    }
    const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
    const now = time()
    const past = await store.listPublishedQuotes({ maker, status, ...page }, now)
    const isHidden = (kept: QuoteRecord) => quoteStatusAt(kept, now) === 'active' && bans.rejection(maker) !== null
    return { ...past, quotes: past.quotes.filter((kept) => !isHidden(kept)) }
  }

  return {
    async submit(quote, network = '') {
      const banned = bans.rejection(quote.maker)
      if (banned) return reject(banned)
      const hash = signatures.hashQuote(quote)
      const known = await store.findQuote(hash)
      if (known?.listed && known.status === 'active' && quote.deadline >= time()) {
        // A quote may become visible before every standby has it, but a later write is confirmed only once every
        // standby has both.
        if (isShared) await store.probe()
        return { ok: true, value: { created: false, record: await labelledRecord(known) } }
      }
      if (known && !known.listed) return reject({ code: 'QUOTE_PRIVATE', hash })
      const rejection = halts.quoteRejection(quote) ?? judgeTerms(quote, { lifetime }, chainNow(clock))
      if (rejection) return reject(rejection)
      if (judging >= limits.runningJudgements) return reject({ code: 'OVERLOADED' })
      judging += 1
      try {
        // Saves judging a quote that the store would refuse. Only the store's own count is exact.
        const limit = limits.storedQuotesPerMaker
        const mayBeFull = (await openQuotes.estimate(quote.maker, time())) >= limit
        const open = mayBeFull ? await openQuotes.count(quote.maker, time()) : 0
        if (open >= limit) return reject({ code: 'TOO_MANY_OPEN', open, limit })
        return await publish({ quote, hash, sender: `network ${network}` })
      } finally {
        judging -= 1
      }
    },

    async list(filters) {
      const past = await listPast(filters)
      if (past) return { ...past, quotes: past.quotes.map((kept) => publicRecord(kept)) }
      const { quotes, nextCursor } = await listPage(filters)
      return {
        quotes: quotes.map(({ kept, status, rates, verdict }) => ({
          ...{ ...publicRecord(kept), ...rates, status },
          ...verdict,
        })),
        nextCursor,
      }
    },

    async listTexts(filters) {
      const past = await listPast(filters)
      if (past) return { ...past, quotes: past.quotes.map((kept) => ({ text: encodeJson(publicRecord(kept)) })) }
      const { quotes, nextCursor } = await listPage(filters)
      return { quotes: quotes.map(({ text, kept: _, ...judged }) => ({ text, judged })), nextCursor }
    },

    async find(hash) {
      const kept = await store.findQuote(hash)
      if (!kept || kept.secret) return null
      const record = await labelledRecord(kept)
      const isBanned = record.status === 'active' && bans.rejection(kept.quote.maker) !== null
      return isBanned ? { ...record, executable: false, reason: 'MAKER_BANNED' } : record
    },

    async observations(filters) {
      const observed = await store.listObservations(filters)
      const now = time()
      const unexpired = observed.filter(({ quote }) => quote.deadline >= now)
      const { states } =
        unexpired.length === 0 ? { states: [] } : await chain.readKnownQuotes(await quoteStateQueries(unexpired))
      const byHash = new Map(unexpired.map(({ hash }, index) => [hash, states[index]]))
      return observed.map(({ publicRfqId, hash, quote, apr, expiry, observedAt }): RFQObservation => {
        const refusal = bans.rejection(quote.maker) ?? halts.quoteRejection(quote)
        const reason = reasonAgainst(quote, byHash.get(hash), now) ?? refusal?.code
        const { maker, poolId, seriesKey, notional, vrtAmount } = quote
        const effectiveApy = quoteEffectiveApy(quote, expiry, rateTime(observedAt, expiry))
        const terms = { hash, maker, poolId, seriesKey, expiry, notional, vrtAmount, apr, effectiveApy, observedAt }
        return reason
          ? { rfqId: publicRfqId, ...terms, executable: false, reason }
          : { rfqId: publicRfqId, ...terms, executable: true }
      })
    },
  }
}

/** Why a quote cannot be taken, or null. Its on-chain state matters only until its deadline. */
function reasonAgainst(quote: SignedQuote, state: QuoteState | null | undefined, now: bigint): string | null {
  if (quote.deadline < now) return 'DEADLINE_PASSED'
  if (!state) return 'CHAIN_UNAVAILABLE'
  const rejection = judgeState(quote, state, now)
  return rejection && reasonOf(rejection)
}

function reject<T>(rejection: Rejection): Outcome<T> {
  return { ok: false, rejection }
}

/** The quotes of other makers than these. */
function withoutMakers(quotes: readonly ListedRecord[], makers: readonly Address[]): readonly ListedRecord[] {
  if (makers.length === 0) return quotes
  const hidden = new Set(makers)
  return quotes.filter((listed) => !hidden.has(getAddress(listed.parse().quote.maker)))
}

import {
  judgeState,
  judgeTerms,
  type QuoteFilters,
  type QuoteState,
  quoteApr,
  type Rejection,
  type RFQObservation,
  type SignedQuote,
  type StoredQuote,
  toPublicRfqId,
} from '@firmquote/core'
import type { Hex } from 'viem'
import type { KeptQuote } from '../../ports/store.ts'
import type { Outcome, QuoteBook } from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { AskedQuotes } from './askedQuotes.ts'
import { chainNow, judgeQuote } from './judgeQuote.ts'
import { createListingJudge, type ListedQuote, reasonOf } from './listedQuotes.ts'
import { createOpenQuotes } from './openQuotes.ts'
import { quoteStatusAt } from './quoteStatus.ts'

/** How many pages are looked through for one that still holds an executable quote. */
const mostPages = 10

/** The published quotes. What is listed is not over at the block that was read for it, and says whether it can be taken. */
export function createQuoteBook(deps: ServiceDeps & { askedQuotes: AskedQuotes }): QuoteBook {
  const { chain, clock, store, signatures, askedQuotes, limits } = deps
  const openQuotes = createOpenQuotes(store, clock)
  const judgeListed = createListingJudge(deps)
  const lifetime = { min: limits.minQuoteLifetimeSeconds, max: limits.maxQuoteLifetimeSeconds }
  // Quotes on their way into the store, by maker: they count, or many at once would all find room.
  const arriving = new Map<string, number>()
  let judging = 0

  const publish = async (quote: SignedQuote, hash: Hex): Promise<Awaited<ReturnType<QuoteBook['submit']>>> => {
    const verdict = await judgeQuote(deps, quote, hash)
    if (verdict.rejection) return refused(verdict.rejection)
    const { series } = verdict.state
    if (series === null)
      return refused({ code: 'SERIES_NOT_FOUND', poolId: quote.poolId, seriesKey: quote.seriesKey, available: null })
    const createdAt = Math.floor(clock.now())
    const at = Math.min(Math.floor(createdAt / 1000), series.expiry - 1)
    const apr = quoteApr(quote, series.expiry, at)
    const { created, record } = await store.insertQuote({ hash, quote, apr, createdAt })
    if (created) openQuotes.added(quote.maker)
    return { ok: true, value: { created, record: shown(record) } }
  }

  /** A quote as others may see it: an auction's belongs to its borrower, so it shows without its signature. */
  const shown = (kept: KeptQuote): StoredQuote => {
    const { listed, quote, seriesExpiry: _, ...rest } = kept
    const { signature, ...terms } = quote
    return { ...rest, quote: listed ? { ...terms, signature } : terms, status: quoteStatusAt(kept, chainNow(clock)) }
  }

  const judgedPage = async (filters: QuoteFilters): Promise<{ quotes: ListedQuote[]; nextCursor: string | null }> => {
    let { cursor } = filters
    for (let pages = 1; ; pages += 1) {
      const page = await store.listQuotes({ ...filters, ...(cursor === undefined ? {} : { cursor }) }, chainNow(clock))
      const { nextCursor } = page
      const quotes = await judgeListed(page.quotes)
      if (quotes.length > 0 || nextCursor === null || pages === mostPages) return { quotes, nextCursor }
      cursor = nextCursor
    }
  }

  return {
    async submit(quote) {
      const hash = signatures.hashQuote(quote)
      const known = await store.findQuote(hash)
      if (known?.listed && known.status === 'active' && quote.deadline >= chainNow(clock)) {
        return { ok: true, value: { created: false, record: shown(known) } }
      }
      const rejection = judgeTerms(quote, { lifetime }, chainNow(clock))
      if (rejection) return refused(rejection)
      if (judging >= limits.runningJudgements) return refused({ code: 'OVERLOADED' })
      judging += 1
      const maker = quote.maker.toLowerCase()
      const waiting = arriving.get(maker) ?? 0
      arriving.set(maker, waiting + 1)
      try {
        const limit = limits.storedQuotesPerMaker
        const mayBeFull = (await openQuotes.atMost(quote.maker, chainNow(clock))) + waiting >= limit
        const open = mayBeFull ? (await openQuotes.count(quote.maker, chainNow(clock))) + waiting : 0
        if (open >= limit) return refused({ code: 'TOO_MANY_OPEN', open, limit })
        return await publish(quote, hash)
      } finally {
        judging -= 1
        const left = (arriving.get(maker) ?? 1) - 1
        if (left > 0) arriving.set(maker, left)
        else arriving.delete(maker)
      }
    },

    async list(filters) {
      const { quotes, nextCursor } = await judgedPage(filters)
      return {
        quotes: quotes.map(({ kept, verdict }) => ({ ...shown(kept), ...verdict })),
        nextCursor,
      }
    },

    async listTexts(filters) {
      const { quotes, nextCursor } = await judgedPage(filters)
      const now = chainNow(clock)
      return {
        quotes: quotes.map(({ kept, text, verdict }) => ({ text, status: quoteStatusAt(kept, now), verdict })),
        nextCursor,
      }
    },

    async find(hash) {
      const kept = await store.findQuote(hash)
      return kept && shown(kept)
    },

    async observations(filters) {
      const observed = await store.listObservations(filters)
      const now = chainNow(clock)
      const alive = observed.filter(({ quote }) => quote.deadline >= now)
      const { states } = alive.length === 0 ? { states: [] } : await chain.readKnownQuotes(await askedQuotes(alive))
      const byHash = new Map(alive.map(({ hash }, index) => [hash, states[index]]))
      return observed.map(({ publicRfqId, hash, quote, apr, expiry, observedAt }): RFQObservation => {
        const reason = reasonAgainst(quote, byHash.get(hash), now)
        const { maker, poolId, seriesKey, notional, vrtAmount } = quote
        const facts = { hash, maker, poolId, seriesKey, expiry, notional, vrtAmount, apr, observedAt }
        return reason
          ? { rfqId: toPublicRfqId(publicRfqId), ...facts, executable: false, reason }
          : { rfqId: toPublicRfqId(publicRfqId), ...facts, executable: true }
      })
    },
  }
}

/** Why a quote that was read, if there was time to, cannot be taken. */
function reasonAgainst(quote: SignedQuote, state: QuoteState | null | undefined, now: bigint): string | null {
  if (quote.deadline < now) return 'DEADLINE_PASSED'
  if (!state) return 'CHAIN_UNAVAILABLE'
  const rejection = judgeState(quote, state, now)
  return rejection && reasonOf(rejection)
}

function refused<T>(rejection: Rejection): Outcome<T> {
  return { ok: false, rejection }
}

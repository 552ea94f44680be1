import type { Pool } from '@firmquote/react'
import { useState } from 'react'
import type { Hex } from 'viem'
import { type AmountMistake, readAmount } from '../../copy/readAmount.ts'
import { useWords } from '../../copy/words.ts'
import { fixable } from '../../fixing/debt/fixable.ts'
import { defaultSeries } from '../../fixing/offers/defaultSeries.ts'
import { type TermPrice, termPrices } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import type { AuctionDraft } from '../../routes.ts'
import { linkedLimit } from '../../service/priceLimit.ts'
import { useSettled } from '../../ui/useSettled.ts'
import { exampleSize } from './exampleSize.ts'

const settleMs = 300

/** The visitor's choices and the result. Amounts are in raw units of the pool's loan token. */
export type Calculation = {
  pool: Pool
  /** The amount as typed. */
  text: string
  /** The typed amount, updated immediately, or null if invalid. */
  typed: bigint | null
  /** What is wrong with the amount, updated after a pause in typing. */
  mistake: AmountMistake | undefined
  /** The amount to price, updated after a pause in typing, or null if invalid. */
  size: bigint | null
  /** Terms priced for `size`, or for an example size if `size` is null. Nearest maturity first. */
  terms: readonly TermPrice[]
  /** The chosen term, or undefined if the market has no terms. */
  term: TermPrice | undefined
  /** The address's limit on the cost, or undefined once the visitor has changed the terms that it is for. */
  limit: bigint | undefined
  change(change: { text?: string; poolId?: Hex; seriesKey?: Hex }): void
}

/**
 * A calculator for one of the pools. The calculator starts with the draft's terms, or with a round amount in the first
 * pool.
 *
 * @param pools At least one pool.
 * @param now Unix seconds.
 */
export function useCalculator(
  pools: readonly [Pool, ...Pool[]],
  offers: KnownOffers,
  now: number,
  draft: AuctionDraft,
): Calculation {
  const words = useWords()
  const { texts, formats } = words
  const [chosen, choose] = useState<{ text?: string; poolId?: Hex; seriesKey?: Hex }>(() => {
    const { poolId, seriesKey, notional } = draft
    const drafted = pools.find((known) => known.poolId === poolId)
    // An amount or term is meaningless without its market.
    if (!drafted) return {}
    return {
      poolId: drafted.poolId,
      ...(seriesKey !== undefined && { seriesKey }),
      ...(notional !== undefined && { text: formats.input(notional, drafted.loanToken) }),
    }
  })
  const pool = pools.find(({ poolId }) => poolId === chosen.poolId) ?? pools[0]
  const example = exampleSize(pool)
  const text = chosen.text ?? formats.input(example, pool.loanToken)
  const settled = useSettled(text, settleMs)
  const read = (from: string): { amount: bigint } | AmountMistake => {
    const understood = readAmount(from, pool.loanToken, words)
    const isZero = 'amount' in understood && understood.amount === 0n
    return isZero ? { mistake: texts.amounts.zero, corrections: [] } : understood
  }
  const [now_, later] = [read(text), read(settled)]
  const size = 'amount' in later ? later.amount : null
  const terms = termPrices(pool, offers.bySeries, { wanted: size ?? example, now })
  const usual = defaultSeries(pool.series, now, (series) => fixable(series, size ?? example).limit === undefined)
  const keys = [chosen.seriesKey, usual?.seriesKey]
  const term = keys.flatMap((key) => terms.find(({ series }) => series.seriesKey === key) ?? [])[0]
  const isDrafted =
    pool.poolId === draft.poolId && term?.series.seriesKey === draft.seriesKey && size === draft.notional
  return {
    pool,
    text,
    typed: 'amount' in now_ ? now_.amount : null,
    mistake: text === settled && 'mistake' in later ? later : undefined,
    size,
    terms,
    term,
    limit: isDrafted ? linkedLimit({ ...draft, expiry: term?.series.expiry }, pool, now) : undefined,
    // Reset the term, because another market has different terms.
    change: (change) =>
      choose((before) => ({ ...before, ...(change.poolId && { seriesKey: undefined }), ...change }) as typeof before),
  }
}

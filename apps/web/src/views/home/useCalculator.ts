import type { Pool } from '@firmquote/react'
import { useState } from 'react'
import type { Hex } from 'viem'
import { readAmount } from '../../copy/readAmount.ts'
import { useWords } from '../../copy/words.ts'
import { fixable } from '../../fixing/debt/fixable.ts'
import { defaultSeries } from '../../fixing/offers/defaultSeries.ts'
import { type TermPrice, termPrices } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { useSettled } from '../../ui/useSettled.ts'
import { exampleSize } from './exampleSize.ts'

const settleMs = 300

/** What a visitor has chosen, and what it comes to. Amounts in raw units of the pool's loan token. */
export type Calculation = {
  pool: Pool
  /** The amount as it is typed. */
  text: string
  /** What is typed right now; null when it is no amount. */
  typed: bigint | null
  /** What is wrong with the amount, once it has been left alone for a moment. */
  mistake: string | undefined
  /** What prices are for: the amount once it has been left alone for a moment; null when it is none. */
  size: bigint | null
  /** Each term at that size, soonest first; those of an example while there is none. */
  terms: readonly TermPrice[]
  /** The chosen one of them; undefined when the market has none. */
  term: TermPrice | undefined
  change(change: { text?: string; poolId?: Hex; seriesKey?: Hex }): void
}

/**
 * A calculator over one of the pools, which starts with a round amount in the first.
 *
 * @param pools at least one.
 * @param now Unix seconds.
 */
export function useCalculator(pools: readonly [Pool, ...Pool[]], offers: KnownOffers, now: number): Calculation {
  const words = useWords()
  const { texts, formats } = words
  const [chosen, choose] = useState<{ text?: string; poolId?: Hex; seriesKey?: Hex }>({})
  const pool = pools.find(({ poolId }) => poolId === chosen.poolId) ?? pools[0]
  const example = exampleSize(pool)
  const text = chosen.text ?? formats.input(example, pool.loanToken)
  const settled = useSettled(text, settleMs)
  const read = (from: string): { amount: bigint } | { mistake: string } => {
    const understood = readAmount(from, pool.loanToken, words)
    return 'amount' in understood && understood.amount === 0n ? { mistake: texts.amounts.zero } : understood
  }
  const [now_, later] = [read(text), read(settled)]
  const size = 'amount' in later ? later.amount : null
  const terms = termPrices(pool, offers.bySeries, { wanted: size ?? example, now })
  const usual = defaultSeries(pool.series, now, (series) => fixable(series, size ?? example).limit === undefined)
  const keys = [chosen.seriesKey, usual?.seriesKey]
  return {
    pool,
    text,
    typed: 'amount' in now_ ? now_.amount : null,
    mistake: text === settled && 'mistake' in later ? later.mistake : undefined,
    size,
    terms,
    term: keys.flatMap((key) => terms.find(({ series }) => series.seriesKey === key) ?? [])[0],
    // Of another market other terms are chosen.
    change: (change) =>
      choose((before) => ({ ...before, ...(change.poolId && { seriesKey: undefined }), ...change }) as typeof before),
  }
}

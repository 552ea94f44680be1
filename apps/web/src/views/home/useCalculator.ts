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

/** The visitor's choices and their result. Amounts in raw units of the pool's loan token. */
export type Calculation = {
  pool: Pool
  /** The amount as typed. */
  text: string
  /** The typed amount without a delay; null if invalid. */
  typed: bigint | null
  /** The amount's error, after a pause in typing. */
  mistake: string | undefined
  /** The amount that prices are for, after a pause in typing; null if invalid. */
  size: bigint | null
  /** Each term at that size, soonest first; at an example size without one. */
  terms: readonly TermPrice[]
  /** The chosen term; undefined if the market has none. */
  term: TermPrice | undefined
  change(change: { text?: string; poolId?: Hex; seriesKey?: Hex }): void
}

/**
 * A calculator for one of the pools. It starts with a round amount in the first.
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
    // Another market has other terms.
    change: (change) =>
      choose((before) => ({ ...before, ...(change.poolId && { seriesKey: undefined }), ...change }) as typeof before),
  }
}

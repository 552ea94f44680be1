import type { Pool, Series } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { readAmount } from '../../copy/readAmount.ts'
import type { Words } from '../../copy/words.ts'
import { restOf, shareOfDebt } from '../../fixing/debt/unfixed.ts'
import { defaultSeries } from '../../fixing/offers/defaultSeries.ts'
import type { AuctionDraft } from '../../routes.ts'
import { exampleSize } from './exampleSize.ts'
import type { AuctionFormText } from './parseAuctionForm.ts'

/**
 * Values chosen or typed by the visitor. Undefined values are filled in by the app. Null is an invalid choice.
 */
export type ChosenTerms = { [Field in keyof AuctionFormText]?: AuctionFormText[Field] | undefined }

/** Inputs for filling in the form. */
type Surroundings = {
  pools: readonly Pool[]
  /** The connected account's debts and positions, once they are loaded. */
  account: AccountPositions | undefined
  /** Unix seconds. */
  now: number
  words: Words
}

/** Returns the form values in an address. Pure. */
export function openForm(
  { poolId, seriesKey, notional }: AuctionDraft,
  { pools, words }: Pick<Surroundings, 'pools' | 'words'>,
): ChosenTerms {
  const pool = poolId === undefined ? pools[0] : pools.find((known) => known.poolId === poolId)
  if (!pool) return { poolId: null, seriesKey: null }
  const series = pool.series.find((known) => known.seriesKey === seriesKey)
  // An amount or term is meaningless without its market.
  const isNamed = [poolId, seriesKey, notional].some((part) => part !== undefined)
  return {
    ...(isNamed && { poolId: pool.poolId }),
    ...(seriesKey !== undefined && { seriesKey: series?.seriesKey ?? null }),
    ...(notional !== undefined && { amount: words.formats.input(notional, pool.loanToken) }),
  }
}

/**
 * Returns the form's current values. Fills in whatever the visitor has not chosen: the first market with unfixed debt,
 * the term closest to three months with enough capacity that is not paused, and the whole unfixed amount, or an example
 * without a debt. Pure.
 */
export function fillForm(chosen: ChosenTerms, { pools, account, now, words }: Surroundings): AuctionFormText {
  const shareIn = (poolId: Hex) => account && shareOfDebt(account, poolId, now)
  const proposed = pools.find(({ poolId }) => (shareIn(poolId)?.unfixed ?? 0n) > 0n) ?? pools[0]
  const poolId = chosen.poolId === undefined ? (proposed?.poolId ?? null) : chosen.poolId
  const cap = chosen.cap ?? ''
  const pool = pools.find((known) => known.poolId === poolId)
  if (!pool) return { poolId, seriesKey: chosen.seriesKey ?? null, amount: chosen.amount ?? '', cap }
  const wanted = wantedIn(pool, account, now)
  const read = chosen.amount === undefined ? { amount: wanted } : readAmount(chosen.amount, pool.loanToken, words)
  const size = 'amount' in read ? read.amount : 0n
  const usual = defaultSeries(pool.series, now, ({ capacity, halted }) => capacity >= size && !halted)
  const seriesKey = chosen.seriesKey === undefined ? (usual?.seriesKey ?? null) : chosen.seriesKey
  const series = pool.series.find((known) => known.seriesKey === seriesKey)
  const amount = series ? availableOf(wanted, series) : wanted
  return {
    poolId,
    seriesKey,
    amount: chosen.amount ?? (amount === 0n ? '' : words.formats.input(amount, pool.loanToken)),
    cap,
  }
}

/** Returns the amount that the form proposes, in raw units: the unfixed debt, or an example without a debt. Pure. */
export function wantedIn(pool: Pool, account: AccountPositions | undefined, now: number): bigint {
  const share = account && shareOfDebt(account, pool.poolId, now)
  return share && share.owed > 0n ? restOf(share, pool.loanToken) : exampleSize(pool)
}

/** Returns how much of an amount is available in a term, in raw units. Pure. */
export function availableOf(amount: bigint, { capacity }: Pick<Series, 'capacity'>): bigint {
  return amount < capacity ? amount : capacity
}

/** Changes the market. Keeps the chosen term if the new market has one of the same maturity. Pure. */
export function chooseMarket(
  chosen: ChosenTerms,
  poolId: string,
  { pools, expiry }: { pools: readonly Pool[]; expiry: number | undefined },
): ChosenTerms {
  const pool = pools.find((known) => known.poolId === poolId)
  const series = pool?.series.find((known) => known.expiry === expiry)
  return { ...chosen, poolId: pool?.poolId ?? null, seriesKey: chosen.seriesKey ? series?.seriesKey : undefined }
}

import type { Pool, Series } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { readAmount } from '../../../copy/readAmount.ts'
import type { Words } from '../../../copy/words.ts'
import { restOf, shareOfDebt } from '../../../fixing/debt/unfixed.ts'
import { defaultSeries } from '../../../fixing/offers/defaultSeries.ts'
import type { AuctionDraft } from '../../../routes.ts'
import type { AuctionFormText } from './parseAuctionForm.ts'

/** What a visitor has chosen or typed. What is undefined the page fills in; null is a choice that does not exist. */
export type ChosenTerms = { [Field in keyof AuctionFormText]?: AuctionFormText[Field] | undefined }

/** What the page fills a form in from. */
type Surroundings = {
  pools: readonly Pool[]
  /** Of the connected account, once it is known. */
  account: AccountPositions | undefined
  /** Unix seconds. */
  now: number
  words: Words
}

/** What an address opens the form with. Pure. */
export function openForm(
  { poolId, seriesKey, notional }: AuctionDraft,
  { pools, words }: Pick<Surroundings, 'pools' | 'words'>,
): ChosenTerms {
  const pool = poolId === undefined ? pools[0] : pools.find((known) => known.poolId === poolId)
  if (!pool) return { poolId: null, seriesKey: null }
  const series = pool.series.find((known) => known.seriesKey === seriesKey)
  // An amount and a term mean nothing without their market.
  const isNamed = [poolId, seriesKey, notional].some((part) => part !== undefined)
  return {
    ...(isNamed && { poolId: pool.poolId }),
    ...(seriesKey !== undefined && { seriesKey: series?.seriesKey ?? null }),
    ...(notional !== undefined && { amount: words.formats.input(notional, pool.loanToken) }),
  }
}

/**
 * The form as it stands: what was chosen, else the first market with a debt that is not fixed, about three months of those that
 * have as much available, and all of what is unfixed. Pure.
 */
export function fillForm(chosen: ChosenTerms, { pools, account, now, words }: Surroundings): AuctionFormText {
  const shareIn = (poolId: Hex) => account && shareOfDebt(account, poolId, now)
  const proposed = pools.find(({ poolId }) => (shareIn(poolId)?.unfixed ?? 0n) > 0n) ?? pools[0]
  const poolId = chosen.poolId === undefined ? (proposed?.poolId ?? null) : chosen.poolId
  const cap = chosen.cap ?? ''
  const pool = pools.find((known) => known.poolId === poolId)
  if (!pool) return { poolId, seriesKey: chosen.seriesKey ?? null, amount: chosen.amount ?? '', cap }
  const share = shareIn(pool.poolId)
  const rest = share ? restOf(share, pool.loanToken) : 0n
  const read = chosen.amount === undefined ? { amount: rest } : readAmount(chosen.amount, pool.loanToken, words)
  const size = 'amount' in read ? read.amount : 0n
  const usual = defaultSeries(pool.series, now, ({ capacity }) => capacity >= size)
  const seriesKey = chosen.seriesKey === undefined ? (usual?.seriesKey ?? null) : chosen.seriesKey
  const series = pool.series.find((known) => known.seriesKey === seriesKey)
  const amount = series ? availableOf(rest, series) : rest
  return {
    poolId,
    seriesKey,
    amount: chosen.amount ?? (amount === 0n ? '' : words.formats.input(amount, pool.loanToken)),
    cap,
  }
}

/** As much of an amount as a term has available. Raw units. Pure. */
export function availableOf(amount: bigint, { capacity }: Pick<Series, 'capacity'>): bigint {
  return amount < capacity ? amount : capacity
}

/** Another market keeps the term that was chosen, where it has one of that day. Pure. */
export function chooseMarket(
  chosen: ChosenTerms,
  poolId: string,
  { pools, expiry }: { pools: readonly Pool[]; expiry: number | undefined },
): ChosenTerms {
  const pool = pools.find((known) => known.poolId === poolId)
  const series = pool?.series.find((known) => known.expiry === expiry)
  return { ...chosen, poolId: pool?.poolId ?? null, seriesKey: chosen.seriesKey ? series?.seriesKey : undefined }
}

import type { Pool, Series } from '@firmquote/react'
import type { RFQRequest } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import { readAmount } from '../../../copy/readAmount.ts'
import type { Words } from '../../../copy/words.ts'
import { auctionRequest } from '../../../fixing/auctions/auctionRequest.ts'
import { effectiveApyOf } from '../../../fixing/outcome/effectiveApy.ts'

/** The form's fields, as typed. */
export type AuctionFormText = { poolId: Hex | null; seriesKey: Hex | null; amount: string; cap: string }

/** Each field's error message, as a full sentence. */
export type AuctionMistakes = { [Field in 'pool' | 'series' | 'amount' | 'cap']?: string }

/** The parsed form. Amounts are in raw units. `capApy` is the cap as effective APY in percent. */
export type ParsedAuctionForm = {
  pool: Pool | null
  series: Series | null
  notional: bigint | null
  /** Null if absent or invalid. */
  cap: bigint | null
  capApy: number | null
  mistakes: AuctionMistakes
  /** Possible meanings of an ambiguous amount. */
  corrections: { [Field in 'amount' | 'cap']?: readonly string[] }
  /** The request, or null unless all fields are valid. */
  request: RFQRequest | null
}

/**
 * Parses the form. Pure.
 *
 * @param taker The connected account. Only this account may take the quotes.
 * @param now Unix seconds.
 */
export function parseAuctionForm(
  form: AuctionFormText,
  { pools, taker, now, words }: { pools: readonly Pool[]; taker: Address | undefined; now: number; words: Words },
): ParsedAuctionForm {
  const { formats } = words
  const texts = words.texts.auction.form
  const mistakes: AuctionMistakes = {}
  const corrections: ParsedAuctionForm['corrections'] = {}
  const pool = pools.find(({ poolId }) => poolId === form.poolId) ?? null
  const series = pool?.series.find(({ seriesKey }) => seriesKey === form.seriesKey) ?? null
  if (!pool) mistakes.pool = texts.marketMissing
  else if (!series) mistakes.series = texts.termMissing
  else if (series.expiry <= now) mistakes.series = texts.termEnded

  const token = pool?.loanToken ?? { symbol: '', decimals: 0 }
  const read = (field: 'amount' | 'cap'): bigint | null => {
    const result = readAmount(form[field], token, words)
    if ('amount' in result) return result.amount
    if (pool) {
      mistakes[field] = result.mistake
      corrections[field] = result.corrections
    }
    return null
  }

  const notional = form.amount.trim() === '' ? null : read('amount')
  if (form.amount.trim() === '') mistakes.amount = texts.amountMissing(formats.count(250_000), '250k')
  else if (notional === 0n) mistakes.amount = words.texts.amounts.zero
  else if (notional !== null && series && notional > series.capacity) {
    mistakes.amount = texts.tooMuch(formats.withSymbol(formats.exact(series.capacity, token), token))
  }

  const cap = form.cap.trim() === '' ? null : read('cap')
  if (cap === 0n) mistakes.cap = texts.limitZero
  const priced = notional !== null && notional > 0n && cap !== null && series !== null && series.expiry > now
  const sound = pool && series && notional !== null && Object.keys(mistakes).length === 0
  return {
    pool,
    series,
    notional,
    cap,
    capApy: priced ? effectiveApyOf({ notional, vrtAmount: cap }, series.expiry, now) : null,
    mistakes,
    corrections,
    request: sound
      ? auctionRequest({ poolId: pool.poolId, seriesKey: series.seriesKey, notional, cap: cap ?? undefined, taker })
      : null,
  }
}

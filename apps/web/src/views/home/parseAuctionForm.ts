import type { Pool, Series } from '@firmquote/react'
import type { RFQRequest } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import { type AmountMistake, readAmount } from '../../copy/readAmount.ts'
import type { Words } from '../../copy/words.ts'
import { auctionRequest } from '../../fixing/auctions/auctionRequest.ts'
import { costAtApy } from '../../service/priceLimit.ts'

/** The form's fields, as typed. `cap` is the maximum rate. */
export type AuctionFormText = { poolId: Hex | null; seriesKey: Hex | null; amount: string; cap: string }

/** Each field's error message, as a full sentence. */
export type AuctionMistakes = { [Field in 'pool' | 'series' | 'amount' | 'cap']?: string }

/** The parsed form. Amounts are in raw units. `capApy` is the typed maximum rate as effective APY in percent. */
export type ParsedAuctionForm = {
  pool: Pool | null
  series: Series | null
  notional: bigint | null
  /** Null if absent or invalid. */
  capApy: number | null
  mistakes: AuctionMistakes
  /** Possible meanings of an ambiguous amount, or the amount that is available. */
  corrections: { [Field in 'amount' | 'cap']?: readonly string[] }
}

const percent = { symbol: '%', decimals: 4 }
/** Maximum rate in percent. A higher one is a typing error. */
const mostPercent = 1_000

/**
 * Parses the form. Pure.
 *
 * @param now Unix seconds.
 */
export function parseAuctionForm(
  form: AuctionFormText,
  { pools, now, words }: { pools: readonly Pool[]; now: number; words: Words },
): ParsedAuctionForm {
  const { formats } = words
  const { amounts, home } = words.texts
  const texts = home.mistakes
  const mistakes: AuctionMistakes = {}
  const corrections: ParsedAuctionForm['corrections'] = {}
  const pool = pools.find(({ poolId }) => poolId === form.poolId) ?? null
  const series = pool?.series.find(({ seriesKey }) => seriesKey === form.seriesKey) ?? null
  if (!pool) mistakes.pool = texts.market
  else if (!series) mistakes.series = texts.term
  else if (series.expiry <= now) mistakes.series = texts.termEnded

  const refuse = (field: 'amount' | 'cap', { mistake, corrections: meanings }: AmountMistake) => {
    mistakes[field] = mistake
    corrections[field] = meanings
  }
  const token = pool?.loanToken ?? { symbol: '', decimals: 0 }
  const read = (field: 'amount' | 'cap', unit: typeof percent): bigint | null => {
    if (form[field].trim() === '') return null
    const result = readAmount(form[field], unit, words)
    if ('amount' in result) return result.amount
    if (pool) refuse(field, result)
    return null
  }

  const notional = read('amount', token)
  if (form.amount.trim() === '') mistakes.amount = texts.amount(formats.count(250_000), '250k')
  else if (notional === 0n) mistakes.amount = amounts.zero
  else if (notional !== null && series) {
    const { capacity, minNotional = 1n } = series
    const bound = notional > capacity ? capacity : notional < minNotional ? minNotional : null
    if (bound !== null) {
      const shown = formats.withSymbol(formats.exact(bound, token), token)
      const mistake = notional > capacity ? texts.tooMuch(shown) : texts.tooLittle(shown)
      refuse('amount', { mistake, corrections: bound === 0n ? [] : [formats.input(bound, token)] })
    }
  }

  const cap = read('cap', percent)
  const capApy = cap === null ? null : Number(cap) / 10 ** percent.decimals
  if (capApy === 0) mistakes.cap = texts.rateZero
  else if (capApy !== null && capApy > mostPercent) mistakes.cap = texts.rateHigh(formats.rate(mostPercent, 0))
  return { pool, series, notional, capApy: mistakes.cap === undefined ? capApy : null, mistakes, corrections }
}

/**
 * Returns the request, or null unless all fields are valid. Pure.
 *
 * @param terms.maxApy The maximum rate as effective APY in percent.
 * @param terms.limit Maximum cost in raw units, if it is lower than that of the maximum rate.
 * @param terms.taker The connected account. Only this account may take the quotes.
 * @param terms.now Unix seconds.
 */
export function requestOf(
  { pool, series, notional, mistakes }: ParsedAuctionForm,
  terms: { maxApy: number; limit?: bigint | undefined; taker: Address | undefined; now: number },
): RFQRequest | null {
  if (!pool || !series || notional === null || Object.keys(mistakes).length > 0) return null
  const { poolId } = pool
  const { seriesKey, expiry } = series
  const { maxApy, limit, taker, now } = terms
  // A limit of zero is no valid request.
  const cost = costAtApy(maxApy, { notional, from: now, expiry }) || 1n
  return auctionRequest({ poolId, seriesKey, notional, cap: limit !== undefined && limit < cost ? limit : cost, taker })
}

import { BaseError, formatPrincipal, quoteApr, type RFQRequest } from '@firmquote/sdk'
import type { Address, Hex } from 'viem'
import type { Pool, Series } from '../../service/serviceContext.ts'
import { parseAmount } from './parseAmount.ts'

/** What stands in the form, as it was typed. */
export type AuctionFormText = { poolId: Hex | null; seriesKey: Hex | null; amount: string; cap: string }

/** What is wrong with each field, in a sentence. */
export type AuctionMistakes = { [Field in 'pool' | 'series' | 'amount' | 'cap']?: string }

/** The form as far as it makes sense: raw units, and what the cap comes to as simple APR in percent. */
export type ParsedAuctionForm = {
  pool: Pool | null
  series: Series | null
  notional: bigint | null
  /** Null when there is none, or when it makes no sense. */
  cap: bigint | null
  capApr: number | null
  mistakes: AuctionMistakes
  /** What to ask for, when nothing is wrong. */
  request: RFQRequest | null
}

/**
 * Reads the form. Pure.
 *
 * @param taker the connected account, for which alone quotes shall be signed.
 * @param now Unix seconds.
 */
export function parseAuctionForm(
  form: AuctionFormText,
  { pools, taker, now }: { pools: readonly Pool[]; taker: Address | undefined; now: number },
): ParsedAuctionForm {
  const mistakes: AuctionMistakes = {}
  const pool = pools.find(({ poolId }) => poolId === form.poolId) ?? null
  const series = pool?.series.find(({ seriesKey }) => seriesKey === form.seriesKey) ?? null
  if (!pool) mistakes.pool = 'Choose a pool.'
  else if (!series) mistakes.series = 'Choose a maturity.'
  else if (series.expiry <= now) mistakes.series = 'This series has ended. Choose a later one.'

  const { symbol, decimals } = pool?.loanToken ?? { symbol: '', decimals: 0 }
  const read = (field: 'amount' | 'cap'): bigint | null => {
    try {
      return parseAmount(form[field], decimals)
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      if (pool) mistakes[field] = error.shortMessage
      return null
    }
  }

  const notional = form.amount.trim() === '' ? null : read('amount')
  if (form.amount.trim() === '') mistakes.amount = 'Say how much of the debt to fix, like 250,000 or 250k.'
  else if (notional === 0n) mistakes.amount = 'The amount must be above zero.'
  else if (notional !== null && series && notional > series.capacity) {
    mistakes.amount = `This series can take ${formatPrincipal(series.capacity, decimals)} ${symbol} at most.`
  }

  const cap = form.cap.trim() === '' ? null : read('cap')
  if (cap === 0n) mistakes.cap = 'Nobody fixes a rate for nothing. Leave this empty for the limit that this page sets.'
  const priced = notional !== null && notional > 0n && cap !== null && series !== null && series.expiry > now
  const sound = pool && series && notional !== null && Object.keys(mistakes).length === 0
  return {
    pool,
    series,
    notional,
    cap,
    capApr: priced ? quoteApr({ notional, vrtAmount: cap }, series.expiry, now) : null,
    mistakes,
    request: sound
      ? {
          poolId: pool.poolId,
          seriesKey: series.seriesKey,
          notional,
          // As small as the service would let a quote be without it: four quotes may be taken, and dust is of no use.
          minNotional: (notional + 9n) / 10n,
          ...(cap !== null && { maxVrtAmount: cap }),
          ...(taker !== undefined && { taker }),
        }
      : null,
  }
}

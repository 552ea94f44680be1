import { quoteApr } from '@firmquote/core'
import type { DatedPrice } from '../../../domain/fillMedian.ts'
import { amountBlob, amountOf } from '../sql/blobs.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { ask } from '../sql/script.ts'

type DayKey = Pick<Tables['day_prices'], 'series_key' | 'day' | 'kind'>

/** Replaces a day's price. */
export function putPrice(key: DayKey, { notional, vrtAmount, at }: DatedPrice) {
  return ask(upsertPrice, { ...key, notional: amountBlob(notional), vrt_amount: amountBlob(vrtAmount), at })
}

/** Deletes a day's price. */
export function dropPrice(key: DayKey) {
  return ask(deletePrice, key)
}

/** A day's rate with the columns of its price, which are null if it has none. */
type PricedRow = {
  apr: number
  /** Unix seconds. */
  expiry: number
  price_notional: Buffer | null
  vrt_amount: Buffer | null
  at: number | null
}

/** The price of a day's rate. An older program updates only the rate, so a price with another rate is outdated. */
export function priceOf({ apr, expiry, price_notional, vrt_amount, at }: PricedRow): { price?: DatedPrice } {
  if (price_notional === null || vrt_amount === null || at === null) return {}
  const price = { notional: amountOf(price_notional), vrtAmount: amountOf(vrt_amount), at }
  return quoteApr(price, expiry, at) === apr ? { price } : {}
}

const upsertPrice = prepareQuery((on, row: Tables['day_prices']) =>
  on
    .insertInto('day_prices')
    .values(pick(row, ['series_key', 'day', 'kind', 'notional', 'vrt_amount', 'at']))
    .onConflict((conflict) =>
      conflict.columns(['series_key', 'day', 'kind']).doUpdateSet((eb) => ({
        ...{ notional: eb.ref('excluded.notional'), vrt_amount: eb.ref('excluded.vrt_amount') },
        at: eb.ref('excluded.at'),
      })),
    ),
)
const deletePrice = prepareQuery((on, key: DayKey) =>
  on
    .deleteFrom('day_prices')
    .where('series_key', '=', key.series_key)
    .where('day', '=', key.day)
    .where('kind', '=', key.kind),
)

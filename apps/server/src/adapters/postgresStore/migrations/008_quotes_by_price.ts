/**
 * Orders a series' quotes by price rather than by their rate at creation. PostgreSQL computes the price from the stored
 * text, so earlier versions need not write it. It is the same number as the server's `priceOf`. The indexes by rate
 * stay for the previous version, until a later release drops them.
 */
export const quotesByPrice = `
alter table quotes add column price double precision not null generated always as (
  div(
    substring(body from '"vrtAmount":"([0-9]+)"')::numeric * 1000000000000000000000000000000,
    greatest(substring(body from '"notional":"([0-9]+)"')::numeric, 1)
  )::double precision / 1e30::double precision
) stored;

create index quotes_by_series_price on quotes (series_key, price, rowid) where listed = 1 and status = 'active';
create index quotes_offers_by_price on quotes (
  substr(series_key, 1, 8),
  (4 * length(ltrim((upper(encode(notional, 'hex')) collate "C"), '0')) - case
    when ltrim((upper(encode(notional, 'hex')) collate "C"), '0') >= '8' then 0
    when ltrim((upper(encode(notional, 'hex')) collate "C"), '0') >= '4' then 1
    when ltrim((upper(encode(notional, 'hex')) collate "C"), '0') >= '2' then 2
    else 3
  end),
  price,
  substr(notional, 17),
  created_at,
  maker,
  rowid
) where listed = 1 and status = 'active' and taker = '\\x0000000000000000000000000000000000000000'::bytea;
`

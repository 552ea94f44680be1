/** The prices behind the rates of each day. Earlier days have none, nor do days that an older program writes. */
export const pricesOfDays = `
create table day_prices (
  series_key bytea not null check (length(series_key) = 32),
  day bigint not null,
  kind text not null check (kind in ('fills', 'offer')),
  notional bytea not null check (length(notional) = 32),
  vrt_amount bytea not null check (length(vrt_amount) = 32),
  at bigint not null,
  primary key (series_key, day, kind)
);
create index day_prices_day on day_prices (day);
`

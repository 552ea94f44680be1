/**
 * A day's fixed rates are now the median of its fills and the best offer that stood. The times of existing fills are read from the chain after the start.
 * The points of `fixed_points` came from quotes that anyone could make, so they are deleted. The table itself stays for
 * the previous version, which still writes to it, until a later release drops it.
 */
export const daysOfFills = `
alter table positions add column opened_at bigint;
create index positions_undated on positions (block_number, block_hash) where opened_at is null;
create index positions_of_day on positions (series_key, (opened_at / 86400), notional, position_id);

create table fill_days (
  series_key bytea not null check (length(series_key) = 32),
  day bigint not null,
  apr double precision not null,
  notional bytea not null check (length(notional) = 32),
  fills bigint not null,
  primary key (series_key, day)
);
create index fill_days_day on fill_days (day);

create table offer_days (
  series_key bytea not null check (length(series_key) = 32),
  day bigint not null,
  apr double precision not null,
  notional bytea not null check (length(notional) = 32),
  primary key (series_key, day)
);
create index offer_days_day on offer_days (day);

delete from fixed_points;
`

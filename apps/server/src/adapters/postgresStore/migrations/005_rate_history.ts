/** Rate history: hourly floating rates, and the best fixed rates of each day. */
export const rateHistory = `
create table floating_points (
  pool_id bytea not null check (length(pool_id) = 32),
  hour bigint not null,
  block_number bigint not null,
  rate bytea not null check (length(rate) = 32),
  primary key (pool_id, hour)
);
create index floating_points_hour on floating_points (hour, pool_id, block_number);
create index floating_points_block on floating_points (block_number);

create table fixed_points (
  series_key bytea not null check (length(series_key) = 32),
  day bigint not null,
  apr double precision not null,
  notional bytea not null check (length(notional) = 32),
  primary key (series_key, day)
);
create index fixed_points_day on fixed_points (day);

-- Backfills from quotes accepted so far: the lowest rate of each day and, on ties, the largest notional.
insert into fixed_points (series_key, day, apr, notional)
select distinct on (kept.series_key, auctions.closed_at / 86400000)
  kept.series_key, auctions.closed_at / 86400000 * 86400, kept.apr, quotes.notional
from auction_quotes as kept
join auctions on auctions.id = kept.auction_id
join quotes on quotes.hash = kept.hash
where auctions.state = 'closed' and kept.unproven = 0
order by kept.series_key, auctions.closed_at / 86400000, kept.apr, quotes.notional desc;
`

/**
 * The tables as of SQLite's migration 012. Amounts are 32 big-endian bytes, so that comparing bytes compares the numbers. `rowid`, which SQLite adds
 * implicitly, orders equally ranked quotes by age.
 */
export const tables = `
create table identity (
  key text primary key,
  value text not null
);

create table quotes (
  hash bytea primary key check (length(hash) = 32),
  rowid bigint generated always as identity,
  maker bytea not null check (length(maker) = 20),
  taker bytea not null check (length(taker) = 20),
  pool_id bytea not null check (length(pool_id) = 32),
  series_key bytea not null check (length(series_key) = 32),
  notional bytea not null check (length(notional) = 32),
  nonce bytea not null check (length(nonce) = 32),
  deadline bigint not null,
  apr double precision not null,
  status text not null check (status in ('active', 'expired', 'filled', 'cancelled', 'nonce_raised')),
  listed smallint not null check (listed in (0, 1)),
  created_at bigint not null,
  body text not null,
  seen_at text,
  told smallint not null default 0 check (told in (0, 1))
);
-- Expiring a quote is an update that removes it from these indexes. Free space keeps the new row version on the same page.
alter table quotes set (fillfactor = 90);
create index quotes_by_created on quotes (created_at, rowid) where listed = 1 and status = 'active';
create index quotes_by_rate on quotes (apr, rowid) where listed = 1 and status = 'active';
create index quotes_by_deadline on quotes (deadline, rowid) where listed = 1 and status = 'active';
create index quotes_by_pool_rate on quotes (pool_id, apr, rowid) where listed = 1 and status = 'active';
create index quotes_by_series_rate on quotes (series_key, apr, rowid) where listed = 1 and status = 'active';
create index quotes_ended_deadline on quotes (deadline) where listed = 1 and status <> 'active';
create index quotes_of_maker on quotes (maker, listed, status, deadline);
create index quotes_by_maker on quotes (maker, created_at, rowid);
create index quotes_offers on quotes (
  substr(series_key, 1, 8),
  (4 * length(ltrim((upper(encode(notional, 'hex')) collate "C"), '0')) - case
    when ltrim((upper(encode(notional, 'hex')) collate "C"), '0') >= '8' then 0
    when ltrim((upper(encode(notional, 'hex')) collate "C"), '0') >= '4' then 1
    when ltrim((upper(encode(notional, 'hex')) collate "C"), '0') >= '2' then 2
    else 3
  end),
  apr,
  substr(notional, 17),
  rowid
) where listed = 1 and status = 'active' and taker = '\\x0000000000000000000000000000000000000000'::bytea;

create table auctions (
  id bigint generated always as identity primary key,
  public_rfq_id bytea not null unique check (length(public_rfq_id) = 16),
  rfq_id bytea not null unique check (length(rfq_id) = 16),
  state text not null check (state in ('open', 'closed')),
  opened_at bigint not null,
  closes_at bigint not null,
  closed_at bigint check (closed_at >= closes_at),
  rejected_count bigint,
  interrupted smallint check (interrupted in (0, 1)),
  last_seq bigint not null check (last_seq >= 0),
  backers bigint not null,
  key_hash bytea unique check (length(key_hash) = 32),
  request_hash bytea check (length(request_hash) = 32),
  taker bytea check (length(taker) = 20),
  body text not null,
  check ((state = 'closed') = (closed_at is not null)),
  check ((key_hash is null) = (request_hash is null))
);
-- Accepting a quote updates its auction's row. Free space keeps the new row version on the same page, so that no index needs an update.
alter table auctions set (fillfactor = 50);
create index auctions_open on auctions (closes_at) where state = 'open';
create index auctions_with_key on auctions (opened_at) where key_hash is not null;
create index auctions_of_taker on auctions (taker, opened_at) where taker is not null;

create table auction_quotes (
  id bigint generated always as identity primary key,
  auction_id bigint not null references auctions (id),
  seq bigint not null check (seq > 0),
  maker bytea not null check (length(maker) = 20),
  hash bytea not null references quotes (hash),
  pool_id bytea not null check (length(pool_id) = 32),
  series_key bytea not null check (length(series_key) = 32),
  apr double precision not null,
  observed_at bigint not null,
  arrival bigint not null,
  unproven smallint not null default 0 check (unproven in (0, 1)),
  unique (maker, auction_id),
  unique (auction_id, seq)
);
create index auction_quotes_hash on auction_quotes (hash);
create index auction_quotes_pool_id_id on auction_quotes (pool_id, id);
create index auction_quotes_series_key_id on auction_quotes (series_key, id);

create table status_counts (
  maker bytea primary key check (length(maker) = 20),
  last_seq bigint not null check (last_seq > 0)
);

create table quote_statuses (
  id bigint generated always as identity primary key,
  maker bytea not null check (length(maker) = 20),
  seq bigint not null check (seq > 0),
  hash bytea not null check (length(hash) = 32),
  status text not null,
  final smallint not null check (final in (0, 1)),
  unsettled smallint not null check (unsettled in (0, 1)),
  block_number bigint not null,
  transaction_hash bytea,
  taker bytea,
  notional bytea,
  cost bytea,
  position_id bytea,
  told_at bigint not null,
  unique (maker, seq)
);
create unique index quote_statuses_unsettled_hash on quote_statuses (hash) where unsettled = 1;
create index quote_statuses_unsettled_block on quote_statuses (block_number) where unsettled = 1;

create table probes (
  id integer primary key check (id = 1),
  count bigint not null,
  filler bytea not null
);

create table sync_cursor (
  id integer primary key check (id = 1),
  number bigint not null,
  hash bytea not null check (length(hash) = 32),
  timestamp bigint not null
);

create table blocks (
  number bigint primary key,
  hash bytea not null check (length(hash) = 32)
);

create table quote_ends (
  hash bytea primary key check (length(hash) = 32),
  status text not null check (status in ('filled', 'cancelled')),
  block_number bigint not null,
  block_hash bytea not null,
  log_index bigint not null,
  transaction_hash bytea not null,
  unique (block_number, log_index)
);

create table nonce_raises (
  maker bytea not null check (length(maker) = 20),
  nonce bytea not null check (length(nonce) = 32),
  block_number bigint not null,
  block_hash bytea not null,
  log_index bigint not null,
  transaction_hash bytea not null,
  unique (maker, nonce),
  unique (block_number, log_index)
);

create table pools (
  pool_id bytea primary key check (length(pool_id) = 32),
  loan_token bytea not null check (length(loan_token) = 20),
  adapter bytea not null check (length(adapter) = 20),
  market bytea not null check (length(market) = 32),
  block_number bigint not null,
  block_hash bytea not null,
  log_index bigint not null,
  transaction_hash bytea not null,
  unique (block_number, log_index)
);

create table series (
  series_key bytea primary key check (length(series_key) = 32),
  pool_id bytea not null check (length(pool_id) = 32),
  expiry bigint not null,
  cap bytea not null check (length(cap) = 32),
  block_number bigint not null,
  block_hash bytea not null,
  log_index bigint not null,
  transaction_hash bytea not null,
  unique (block_number, log_index)
);
create index series_pool on series (pool_id, expiry);

create table positions (
  position_id bytea primary key check (length(position_id) = 32),
  maker bytea not null check (length(maker) = 20),
  borrower bytea not null check (length(borrower) = 20),
  pool_id bytea not null check (length(pool_id) = 32),
  series_key bytea not null check (length(series_key) = 32),
  notional bytea not null check (length(notional) = 32),
  cost bytea not null check (length(cost) = 32),
  opening_index bytea not null check (length(opening_index) = 32),
  settled smallint not null default 0 check (settled in (0, 1)),
  block_number bigint not null,
  block_hash bytea not null,
  log_index bigint not null,
  transaction_hash bytea not null,
  unique (block_number, log_index)
);
create index positions_of_maker on positions (maker, settled, position_id);
create index positions_of_borrower on positions (borrower, settled, position_id);
create index positions_of_series on positions (series_key, position_id);

create table settlements (
  position_id bytea primary key check (length(position_id) = 32),
  to_borrower bytea not null check (length(to_borrower) = 32),
  to_maker bytea not null check (length(to_maker) = 32),
  block_number bigint not null,
  block_hash bytea not null,
  log_index bigint not null,
  transaction_hash bytea not null,
  unique (block_number, log_index)
);

-- Whatever moves the cursor or writes quote_statuses locks this row first, so that the IDs follow commit order.
create table sync_lock (id integer primary key check (id = 1));
insert into sync_lock values (1);

-- Tasks that only one instance performs, with the current holder. The epoch increases with each new holder.
create table leases (
  name text primary key,
  holder text not null,
  epoch bigint not null check (epoch > 0),
  until timestamptz not null
);
`

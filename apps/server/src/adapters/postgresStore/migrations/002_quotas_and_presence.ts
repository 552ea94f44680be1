/**
 * Counts shared by all instances. Times are in Unix milliseconds from the database's clock. Requesters and senders are stored as HMACs; the key is
 * only in the database and its instances. Every statement that changes the `quota_` tables locks the row of `quota_version` first.
 */
export const quotasAndPresence = `
create table quota_version (
  one boolean primary key default true check (one),
  version bigint not null,
  key bytea not null
);
insert into quota_version (version, key)
values (0, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- Slots of open auctions, and what each counts against. Notionals are numeric here because they are summed.
create table quota_places (
  id uuid primary key,
  until_at bigint not null,
  verified boolean not null,
  abandoned boolean not null,
  keys bytea[] not null,
  debt bytea,
  notional numeric(78)
);

-- Requests within the last minute: RFQs (kind 0) and proofs (kind 1).
create table quota_uses (
  key bytea not null,
  kind smallint not null,
  at bigint not null
);
create index quota_uses_key on quota_uses (key, kind, at);
create index quota_uses_at on quota_uses (at);

-- How many more checks of contract signatures may fail for a sender. A sender without a row has the full allowance.
create table quota_checks (
  sender bytea primary key,
  allowance double precision not null,
  at bigint not null
);
create index quota_checks_at on quota_checks (at);

create table presence_instances (
  instance uuid primary key,
  seen_at bigint not null
);

-- Backers' sockets. Each row holds one slot. Slots of lost instances are taken over.
create table presence_sockets (
  backer bytea not null,
  place integer not null,
  instance uuid not null,
  socket uuid not null unique,
  primary key (backer, place)
);
create index presence_sockets_instance on presence_sockets (instance);

-- Backers that receive RFQs, by instance.
create table presence_sessions (
  instance uuid not null,
  backer bytea not null,
  primary key (instance, backer)
);
`

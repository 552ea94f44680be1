/**
 * The operator's decisions, and an append-only record of who made them. Keys sort bytewise, as in SQLite. A lower
 * entry ID is always committed first, so the newest ID is the version of the decisions.
 */
export const controls = `
create table controls (
  kind text collate "C" not null,
  subject text collate "C" not null,
  body text not null,
  primary key (kind, subject)
);
create table audit (
  id bigint generated always as identity primary key,
  -- Identifies the change, so that repeating it has no effect.
  request text not null unique,
  -- Unix milliseconds.
  at bigint not null,
  who text not null,
  command text not null,
  subject text,
  why text,
  detail text not null
);
create function refuse_audit_change() returns trigger language plpgsql as
  $$ begin raise exception 'the audit is append-only'; end $$;
create trigger audit_is_append_only before update or delete on audit
  for each row execute function refuse_audit_change();
create trigger audit_is_not_truncated before truncate on audit
  for each statement execute function refuse_audit_change();
`

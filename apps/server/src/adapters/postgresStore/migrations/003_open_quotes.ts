/**
 * An upper bound on the number of each maker's open quotes, checked on every publication.
 *
 * `published_counts` holds the last count plus the number of publications since then. If a maker has no row, its quotes are counted. Rows change only
 * while the maker's lock is held or the maker is not publishing.
 *
 * The index already exists but is created again: among indexes of equal estimated cost, PostgreSQL prefers the newest, and on an empty table all
 * costs are equal. A cached plan that uses another index would read every quote the maker has ever had.
 */
export const openQuotes = `
create table published_counts (
  maker bytea primary key check (length(maker) = 20),
  at_most bigint not null
);
-- Counts change often, but are not indexed. Free space keeps the new row version on the same page.
alter table published_counts set (fillfactor = 50);

drop index quotes_of_maker;
create index quotes_of_maker on quotes (maker, listed, status, deadline);
`

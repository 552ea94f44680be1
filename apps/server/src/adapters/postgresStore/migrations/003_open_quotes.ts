/**
 * Upper bounds of each maker's open quotes, checked for every publication.
 *
 * `published_counts` has the last count plus the publications since. A maker without a row is counted. Rows change only under the maker's lock, or
 * while it is not publishing.
 *
 * The index exists already, but is created again: among indexes of equal estimated cost, PostgreSQL prefers the newest, and on an empty table all
 * costs are equal. A cached plan with another index would read all quotes that the maker ever had.
 */
export const openQuotes = `
create table published_counts (
  maker bytea primary key check (length(maker) = 20),
  at_most bigint not null
);
-- A count changes often, and no index with it: room in the page keeps its new version there.
alter table published_counts set (fillfactor = 50);

drop index quotes_of_maker;
create index quotes_of_maker on quotes (maker, listed, status, deadline);
`

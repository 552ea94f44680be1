/**
 * How many quotes a maker has open is asked for with each one that it publishes.
 *
 * `published_counts` has a number that is not below it: what was counted last and what has come since. A maker that is missing is
 * counted. It changes under the maker's lock, or while nobody publishes.
 *
 * The index is there already, but as one of the older ones. Of indexes that seem to cost the same PostgreSQL takes the newest, and while
 * a table is empty all of them do. A plan that is made then lives on: with another index, each count would read all that the
 * maker ever had.
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

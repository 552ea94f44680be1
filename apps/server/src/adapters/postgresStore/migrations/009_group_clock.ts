/**
 * The offset from the database's clock to the service's time. Not zero after a step of the database's clock. Earlier versions follow the database's
 * clock, which equals the service's time while the offset is zero.
 */
export const groupClock = `
create table group_clock (
  one boolean primary key default true check (one),
  -- Milliseconds.
  offset_ms bigint not null default 0,
  -- The database's time in Unix milliseconds when an instance last agreed with the service's time.
  agreed_at double precision
);
insert into group_clock default values;
`

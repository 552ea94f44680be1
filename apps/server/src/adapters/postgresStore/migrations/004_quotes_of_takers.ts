/** An index of quotes reserved for one taker. It excludes the great majority of quotes, which anyone can take. */
export const quotesOfTakers = `
create index quotes_of_taker on quotes (taker, rowid)
where listed = 1 and status = 'active' and taker <> '\\x0000000000000000000000000000000000000000'::bytea;
`

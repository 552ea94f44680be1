/** The quotes that one taker alone can take: those that anyone can take, nearly all, cost this index nothing. */
export const quotesOfTakers = `
create index quotes_of_taker on quotes (taker, rowid)
where listed = 1 and status = 'active' and taker <> '\\x0000000000000000000000000000000000000000'::bytea;
`

/** An index of the quotes for one named taker. Quotes that anyone can take, nearly all of them, are not in it. */
export const quotesOfTakers = `
create index quotes_of_taker on quotes (taker, rowid)
where listed = 1 and status = 'active' and taker <> '\\x0000000000000000000000000000000000000000'::bytea;
`

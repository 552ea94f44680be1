/** How many rounds a trial plays: `npm run trials -- --rounds N`. */
export const rounds = Number(process.env['ROUNDS'] ?? 1)

/** What a trial's random choices come from, the same again with `npm run trials -- --seed S`. A 31-bit number. */
export const seed = Number(process.env['SEED'] ?? 1)

/**
 * What serves the tests that start a server: `one` on a file of its own; `three` instances on one PostgreSQL and one NATS; or two
 * instances there, `old-and-new`, one of them the program before its last migration. `npm run trials -- --servers three`.
 */
export type ServedBy = 'one' | 'three' | 'old-and-new'

/** What serves the tests of this run. */
export const servedBy = (process.env['SERVED_BY'] ?? 'one') as ServedBy

/** How many servers that is. */
export const serverCount = { one: 1, three: 3, 'old-and-new': 2 }[servedBy]

/** Whether the backers that an instance counts are those of all. Before its last migration the program counted its own alone. */
export const seesAllBackers = servedBy !== 'old-and-new'

/** Number of rounds of a trial: `npm run trials -- --rounds N`. */
export const rounds = Number(process.env['ROUNDS'] ?? 1)

/** Seed of a trial's random choices, a 31-bit number. Repeat a run with `npm run trials -- --seed S`. */
export const seed = Number(process.env['SEED'] ?? 1)

/**
 * Deployment for tests that start a server. `one`: one server with its own file. `three`: three instances on one
 * PostgreSQL and one NATS. `old-and-new`: two such instances, one of them running the program before its last
 * migrations. Choose it with `npm run trials -- --servers three`.
 */
export type ServedBy = 'one' | 'three' | 'old-and-new'

/** Deployment of this run. */
export const servedBy = (process.env['SERVED_BY'] ?? 'one') as ServedBy

/** Number of servers. */
export const serverCount = { one: 1, three: 3, 'old-and-new': 2 }[servedBy]

/** Whether an instance counts all backers. Before its last migration the program only counted its own. */
export const seesAllBackers = servedBy !== 'old-and-new'

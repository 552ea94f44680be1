/** Number of rounds per trial. Set by `npm run trials -- --rounds N`. */
export const rounds = Number(process.env['ROUNDS'] ?? 1)

/** Seed for a trial's random choices, a 31-bit integer. To repeat a run, use `npm run trials -- --seed S`. */
export const seed = Number(process.env['SEED'] ?? 1)

/**
 * Deployment for tests that start a server. `one` is a single server with its own database file. `three` is three
 * instances sharing PostgreSQL and NATS. `old-and-new` is two instances sharing PostgreSQL and NATS, one of which runs
 * the program from before its last migrations. Set by `npm run trials -- --servers`.
 */
export type ServedBy = 'one' | 'three' | 'old-and-new'

/** This run's deployment. */
export const servedBy = (process.env['SERVED_BY'] ?? 'one') as ServedBy

/** Number of servers. */
export const serverCount = { one: 1, three: 3, 'old-and-new': 2 }[servedBy]

/** Whether an instance counts the backers of all instances. The old program counted only its own instance's backers. */
export const seesAllBackers = servedBy !== 'old-and-new'

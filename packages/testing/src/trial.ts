/** How many rounds a trial plays: `npm run trials -- --rounds N`. */
export const rounds = Number(process.env['ROUNDS'] ?? 1)

/** What a trial's random choices come from, the same again with `npm run trials -- --seed S`. A 31-bit number. */
export const seed = Number(process.env['SEED'] ?? 1)

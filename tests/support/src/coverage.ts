/** Counts that a random test has met a case, so many times. */
export type Met<Case extends string> = (name: Case, times?: number) => void

/** Counts how often a random test meets each of its cases, of which it has to meet each so often to mean something. */
export function createCoverage<Case extends string>(least: Readonly<Record<Case, number>>) {
  const counts = Object.fromEntries(Object.keys(least).map((name) => [name, 0])) as Record<Case, number>
  const met: Met<Case> = (name, times = 1) => {
    counts[name] += times
  }
  /** Each case that was met too seldom, with how often, such as `restart 3 of 10`. */
  const rare = () =>
    (Object.keys(counts) as Case[])
      .filter((name) => counts[name] < least[name])
      .map((name) => `${name} ${counts[name]} of ${least[name]}`)
  return { met, rare }
}

/** A seed by chance, or the one that `SEED` in the environment repeats. */
export const drawSeed = () => Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/**
 * Plays a random test with a seed, and with the seeds after it until it has met each case often enough: how often chance meets a
 * rare one differs from seed to seed.
 *
 * @throws What a play throws; and an `Error` when a case is still rare after `most` plays. It names the case and the seed.
 */
export async function playUntilMet<Case extends string>(
  least: Readonly<Record<Case, number>>,
  play: (seed: number, met: Met<Case>) => unknown,
  { seed = drawSeed(), most = 3 } = {},
): Promise<void> {
  const { met, rare } = createCoverage(least)
  for (let plays = 0; plays < most && rare().length > 0; plays += 1) await play(seed + plays, met)
  if (rare().length > 0) throw new Error(`Met too seldom with SEED=${seed} in ${most} plays: ${rare().join(', ')}`)
}

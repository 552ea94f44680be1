/** Records `times` occurrences of a case. */
export type Met<Case extends string> = (name: Case, times?: number) => void

/** Counts how often each case occurs in a random test. `least` is the required minimum for each case. */
export function createCoverage<Case extends string>(least: Readonly<Record<Case, number>>) {
  const counts = Object.fromEntries(Object.keys(least).map((name) => [name, 0])) as Record<Case, number>
  const met: Met<Case> = (name, times = 1) => {
    counts[name] += times
  }
  /** Lists the cases that occurred too rarely, for example `restart 3 of 10`. */
  const rare = () =>
    (Object.keys(counts) as Case[])
      .filter((name) => counts[name] < least[name])
      .map((name) => `${name} ${counts[name]} of ${least[name]}`)
  return { met, rare, counts: () => ({ ...counts }) }
}

/** Returns a random seed, or the `SEED` environment variable, which repeats a run. */
export const drawSeed = () => Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/**
 * Runs a random test with a seed, then with subsequent seeds until each case has occurred often enough. The frequency
 * of rare cases varies between seeds.
 *
 * @throws A run's error, or an `Error` that names the cases and the seed if a case is still too rare after `most` runs.
 */
export async function playUntilMet<Case extends string>(
  least: Readonly<Record<Case, number>>,
  play: (seed: number, met: Met<Case>) => unknown,
  { seed = drawSeed(), most = 3 } = {},
): Promise<void> {
  const { met, rare } = createCoverage(least)
  for (let plays = 0; plays < most && rare().length > 0; plays += 1) await play(seed + plays, met)
  if (rare().length > 0) throw new Error(`Cases met too rarely with SEED=${seed} in ${most} runs: ${rare().join(', ')}`)
}

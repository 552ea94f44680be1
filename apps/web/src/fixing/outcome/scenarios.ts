import { aprToApy, type RateHistory } from '@firmquote/sdk'

/**
 * Returns four round APYs in percent to compare a fixed rate at: 4, 6, 8 and 10 if today's variable rate lies between
 * them, otherwise four around it. Empty for a rate above 1,000 %. Pure.
 *
 * @param today Today's variable APY in percent, not negative.
 */
export function scenarioRates(today: number): number[] {
  if (today > 1_000) return []
  if (today >= 4 && today <= 10) return [4, 6, 8, 10]
  const step = Math.max(0.5, roundDown(today / 3))
  const below = Math.max(step, Math.floor(today / step) * step - step)
  return [0, 1, 2, 3].map((index) => below + index * step)
}

/** Rounds down to 1, 2 or 5 times a power of ten. */
function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([5, 2].find((digit) => digit * power <= value) ?? 1)
}

/**
 * Counts the readings of a pool's variable rate, those above a fixed rate, and the days that they cover. Pure.
 *
 * @param percent The fixed rate, effective APY in percent.
 */
export function readingsAbove(
  { floating, step }: Pick<RateHistory, 'floating' | 'step'>,
  percent: number,
): { above: number; known: number; days: number } {
  const known = floating.length
  const above = floating.filter(({ apr }) => aprToApy(apr) > percent).length
  return { above, known, days: Math.ceil((known * step) / 86_400) }
}

import type { RatePoint } from '../ui/chartLayout.ts'

const day = 86_400
const from = Date.UTC(2025, 10, 22) / 1000

/** A year of daily floating rates, with a three-week gap. */
export const exampleRates: readonly RatePoint[] = Array.from({ length: 365 }, (_, index) => ({
  at: from + index * day,
  percent:
    6 + 1.4 * Math.sin(index / 41) + 0.5 * Math.sin(index / 7) + 0.25 * Math.sin(index * 1.7) + (index > 300 ? 0.8 : 0),
})).filter((_, index) => index < 150 || index > 171)

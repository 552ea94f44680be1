import type { Figure, Finding } from './row.ts'

/** How a finding stands to its goal; `reported` where it has none. */
export type Verdict = 'holds' | 'falls short' | 'reported'

/** Holds the median against the goal, unrounded. */
export function judgeFinding({ figure, goal }: Pick<Finding, 'figure' | 'goal'>): Verdict {
  if (!goal) return 'reported'
  return ('least' in goal ? figure.median >= goal.least : figure.median <= goal.most) ? 'holds' : 'falls short'
}

/** A figure in its unit, the spread behind it. */
export function formatFigure({ median, low, high }: Figure, unit: Finding['unit']): string {
  return `${formatAmount(median, unit)} (${formatAmount(low)} to ${formatAmount(high)})`
}

/** A goal with its unit, as in `>= 24x`. */
export function formatGoal({ goal, unit }: Pick<Finding, 'goal' | 'unit'>): string {
  if (!goal) return ''
  return 'least' in goal ? `>= ${goal.least}${suffix(unit)}` : `<= ${goal.most}${suffix(unit)}`
}

function formatAmount(amount: number, unit?: Finding['unit']): string {
  const digits = Math.abs(amount) >= 100 ? 0 : Math.abs(amount) >= 10 ? 1 : 2
  return `${amount.toFixed(Number.isInteger(amount) ? 0 : digits)}${unit ? suffix(unit) : ''}`
}

function suffix(unit: Finding['unit']): string {
  return unit === 'x' ? 'x' : ` ${unit}`
}

import { markdownTable } from 'markdown-table'
import type { Figure } from './figures.ts'
import { type Goal, type GoalId, goals } from './goals.ts'
import type { Measured } from './row.ts'

/** A row's result. A row without figures failed or was skipped. */
export type Outcome = { id: string; seconds: number; measured: Measured; failure?: string; skipped?: string }

/** Everything measured in one run. */
export type Report = { machine: string; rounds: number; outcomes: Outcome[] }

const [begin, end] = ['<!-- bench: begin -->', '<!-- bench: end -->']

/** Whether the unrounded median meets the goal. */
export function holds({ median }: Pick<Figure, 'median'>, goal: Goal['goal']): boolean {
  return 'least' in goal ? median >= goal.least : median <= goal.most
}

/** Returns 0 if no row failed and every measured goal is met, and 1 otherwise. */
export function exitCodeOf({ outcomes }: Pick<Report, 'outcomes'>): 0 | 1 {
  const succeeded = ({ failure, measured }: Outcome) =>
    failure === undefined && figuresOf(measured).every(([id, figure]) => holds(figure, goals[id].goal))
  return outcomes.every(succeeded) ? 0 : 1
}

/**
 * Formats the machine and a table of goals as Markdown. `ids` selects figures. Failed and skipped rows are always
 * included.
 */
export function formatTable({ machine, rounds, outcomes }: Report, ids?: readonly GoalId[]): string {
  const head = ['what', 'against', 'goal', 'measured (low to high)', 'limit', '']
  const lines = [head, ...outcomes.flatMap((outcome) => cellsOf(outcome, ids))]
  const cells = lines.map((line) => line.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')))
  return `${machine}; medians of ${rounds} rounds.\n\n${markdownTable(cells, { alignDelimiters: false })}\n`
}

/** Formats the values behind the ratios, and each row's duration. */
export function formatDetails({ outcomes }: Pick<Report, 'outcomes'>): string {
  const notes = outcomes
    .flatMap(({ measured }) => figuresOf(measured))
    .flatMap(([id, { note }]) => (note === undefined ? [] : [`- ${goals[id].what}: ${note}\n`]))
  const seconds = outcomes.map((outcome) => `${outcome.id} ${outcome.seconds}`)
  const total = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0)
  return `${notes.join('')}\nSeconds: ${seconds.join(', ')}; together ${total}.\n`
}

/** Formats an outcome for the terminal. */
export function describeOutcome(outcome: Outcome): string {
  const lines = cellsOf(outcome).map((cells) => cells.filter((cell) => cell !== '').join('; '))
  return [`${outcome.id} (${outcome.seconds} s)`, ...lines].join('\n  ')
}

/**
 * Replaces the text between the markers in a README.
 *
 * @throws {TypeError} unless each marker occurs exactly once and they are in order.
 */
export function replaceBetweenMarkers(readme: string, table: string): string {
  const [before, rest, ...more] = readme.split(begin)
  const [old, after, ...others] = rest?.split(end) ?? []
  if (old === undefined || after === undefined || more.length > 0 || others.length > 0) {
    throw new TypeError(`The README must contain ${begin} and ${end} once each, in this order.`)
  }
  return `${before}${begin}\n${table.trim()}\n${end}${after}`
}

const figuresOf = (measured: Measured) => Object.entries(measured) as [GoalId, Figure][]

/** A row's lines in the table. */
function cellsOf({ id, failure, skipped, measured }: Outcome, ids?: readonly GoalId[]): string[][] {
  if (failure !== undefined) return [[id, '', '', '', '', `failed: ${failure}`]]
  if (skipped !== undefined) return [[id, '', '', '', '', `skipped: ${skipped}`]]
  const shown = figuresOf(measured).filter(([goalId]) => ids?.includes(goalId) ?? true)
  return shown.map(([goalId, figure]) => {
    const { what, rival = '', unit, goal, limit = '' }: Goal = goals[goalId]
    const suffix = unit === 'x' ? 'x' : ` ${unit}`
    const bound = 'least' in goal ? `>= ${goal.least}${suffix}` : `<= ${goal.most}${suffix}`
    const spread = `(${formatAmount(figure.low)} to ${formatAmount(figure.high)})`
    const amount = `${formatAmount(figure.median)}${suffix} ${spread}`
    return [what, rival, bound, amount, limit, holds(figure, goal) ? 'holds' : 'falls short']
  })
}

const formatAmount = (amount: number) =>
  amount.toFixed(Number.isInteger(amount) || Math.abs(amount) >= 100 ? 0 : Math.abs(amount) >= 10 ? 1 : 2)

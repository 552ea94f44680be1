import { markdownTable } from 'markdown-table'
import type { Figure } from './figures.ts'
import type { Finding } from './row.ts'

/** The result of a row; without findings it has failed or was skipped. */
export type Outcome = { id: string; seconds: number; findings: Finding[]; failure?: string; skipped?: string }

/** Everything that one run measured. */
export type Report = { machine: string; rounds: number; outcomes: Outcome[] }

const [begin, end] = ['<!-- bench: begin -->', '<!-- bench: end -->']

/** Whether the unrounded median meets the goal. */
export function holds({ figure, goal }: Pick<Finding, 'figure' | 'goal'>): boolean {
  return 'least' in goal ? figure.median >= goal.least : figure.median <= goal.most
}

/** 0 when every row ran or was skipped and every goal holds; 1 otherwise. */
export function exitCodeOf({ outcomes }: Pick<Report, 'outcomes'>): 0 | 1 {
  return outcomes.every(({ failure, findings }) => failure === undefined && findings.every(holds)) ? 0 : 1
}

/** The machine and the table of goals, in Markdown. */
export function formatTable({ machine, rounds, outcomes }: Report): string {
  const lines = outcomes.flatMap(({ id, failure, skipped, findings }) => {
    if (failure !== undefined) return [[id, '', '', '', '', `failed: ${failure}`]]
    if (skipped !== undefined) return [[id, '', '', '', '', `skipped: ${skipped}`]]
    return findings.map((finding) => {
      const { what, rival = '', unit, figure, limit = '' } = finding
      return [what, rival, formatGoal(finding), formatFigure(figure, unit), limit, verdictOf(finding)]
    })
  })
  const head = ['what', 'against', 'goal', 'measured (low to high)', 'limit', '']
  const cells = [head, ...lines].map((line) => line.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')))
  return `${machine}; medians of ${rounds} rounds.\n\n${markdownTable(cells, { alignDelimiters: false })}\n`
}

/** The notes behind the figures, and how long each row took. */
export function formatDetails({ outcomes }: Pick<Report, 'outcomes'>): string {
  const sections = outcomes
    .flatMap(({ findings }) => findings)
    .flatMap(({ what, notes = [] }) =>
      notes.length > 0 ? [`**${what}**\n\n${notes.map((note) => `- ${note}\n`).join('')}`] : [],
    )
  const seconds = outcomes.map((outcome) => `${outcome.id} ${outcome.seconds}`)
  const total = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0)
  return [...sections, `Seconds: ${seconds.join(', ')}; together ${total}.\n`].join('\n')
}

/** An outcome for the terminal. */
export function describeOutcome({ id, seconds, failure, skipped, findings }: Outcome): string {
  const lines = findings.map((finding) => {
    const { what, figure, unit } = finding
    return `${verdictOf(finding).padEnd(11)}  ${what}: ${formatFigure(figure, unit)}, goal ${formatGoal(finding)}`
  })
  if (failure !== undefined) lines.push(`failed: ${failure}`)
  if (skipped !== undefined) lines.push(`skipped: ${skipped}`)
  return [`${id} (${seconds} s)`, ...lines].join('\n')
}

/**
 * Replaces the text between the markers of a README.
 *
 * @throws {TypeError} when each marker is not there once, in order.
 */
export function replaceBetweenMarkers(readme: string, table: string): string {
  const [before, rest, ...more] = readme.split(begin)
  const [old, after, ...others] = rest?.split(end) ?? []
  if (old === undefined || after === undefined || more.length > 0 || others.length > 0) {
    throw new TypeError(`The README needs ${begin} and ${end}, once each.`)
  }
  return `${before}${begin}\n${table.trim()}\n${end}${after}`
}

const verdictOf = (finding: Finding) => (holds(finding) ? 'holds' : 'falls short')

const suffix = (unit: Finding['unit']) => (unit === 'x' ? 'x' : ` ${unit}`)

function formatGoal({ goal, unit }: Pick<Finding, 'goal' | 'unit'>): string {
  return 'least' in goal ? `>= ${goal.least}${suffix(unit)}` : `<= ${goal.most}${suffix(unit)}`
}

function formatFigure({ median, low, high }: Figure, unit: Finding['unit']): string {
  return `${formatAmount(median)}${suffix(unit)} (${formatAmount(low)} to ${formatAmount(high)})`
}

const formatAmount = (amount: number) =>
  amount.toFixed(Number.isInteger(amount) || Math.abs(amount) >= 100 ? 0 : Math.abs(amount) >= 10 ? 1 : 2)

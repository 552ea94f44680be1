import { formatFigure, formatGoal, judgeFinding } from './judgeFinding.ts'
import type { Machine } from './machine.ts'
import type { Measured } from './row.ts'

/** The result of a row: its findings, or why it failed. */
export type Outcome = { id: string; seconds: number } & (
  | (Measured & { failure?: never })
  | { failure: string; findings?: never; growth?: never; skipped?: never }
)

/** Everything that one run of the benchmark measured. */
export type RunReport = {
  machine: Machine
  rounds: number
  /** Why rivals are missing, when they could not be installed. */
  rivalsProblem?: string
  outcomes: Outcome[]
}

/** 0 when every row ran or lacks what it needs, and every goal holds; 1 otherwise. */
export function exitCodeOf({ outcomes }: Pick<RunReport, 'outcomes'>): 0 | 1 {
  const good = (outcome: Outcome) => outcome.findings?.every((finding) => judgeFinding(finding) !== 'falls short')
  return outcomes.every(good) ? 0 : 1
}

/** The machine line and the table of goals, in Markdown. */
export function formatTable({ machine, rounds, outcomes }: RunReport): string {
  const lines = outcomes.flatMap((outcome) => {
    if (outcome.skipped !== undefined) return [row([outcome.id, '', '', '', '', `skipped: ${outcome.skipped}`])]
    return outcome.failure === undefined
      ? outcome.findings.map((finding) =>
          row([
            finding.what,
            finding.rival ?? '',
            formatGoal(finding),
            formatFigure(finding.figure, finding.unit),
            finding.limit ?? '',
            judgeFinding(finding).replace('reported', ''),
          ]),
        )
      : [row([outcome.id, '', '', '', '', `failed: ${outcome.failure}`])]
  })
  const head = [row(['what', 'against', 'goal', 'measured (low to high)', 'limit', '']), '|---|---|---|---|---|---|']
  return `${describeMachine(machine, rounds)}\n\n${[...head, ...lines].join('\n')}\n`
}

/** The notes and the further rivals of the figures. */
export function formatDetails({ outcomes, rivalsProblem }: RunReport): string {
  const sections = outcomes.flatMap(({ findings = [] }) =>
    findings
      .filter(({ notes, others }) => notes?.length || others?.length)
      .map(({ what, unit, notes = [], others = [] }) => {
        const further = others.map(({ rival, how, figure }) => {
          return `against ${rival} (${how}): ${figure ? formatFigure(figure, unit) : 'missing'}`
        })
        return `**${what}**\n\n${[...notes, ...further].map((note) => `- ${note}`).join('\n')}\n`
      }),
  )
  if (rivalsProblem) sections.unshift(`Rivals are missing: ${rivalsProblem}\n`)
  return sections.join('\n')
}

function describeMachine({ cpu, cores, memoryGiB, node, os, day, commit }: Machine, rounds: number): string {
  return `${cores} x ${cpu}, ${memoryGiB} GiB, ${os}, Node ${node}, ${day}, commit ${commit}; medians of ${rounds} rounds.`
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`
}

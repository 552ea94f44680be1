import type { Figure } from './figures.ts'

/** One figure and its goal. */
export type Finding = {
  what: string
  /** The other side of a ratio, in the same run; absent for an absolute figure. */
  rival?: string
  unit: 'x' | 'ms' | 'MiB' | 'requests'
  figure: Figure
  goal: { least: number } | { most: number }
  /** The best possible figure, where it is known. */
  limit?: string
  /** Rates and facts behind the figure, for the report. */
  notes?: string[]
}

/** The settings of a run. */
export type RowContext = {
  /** How many rounds are measured, after one that warms up. */
  rounds: number
  /** Prints the current activity. */
  progress(text: string): void
}

/** Everything that is measured with one setup. */
export type Row = {
  /** The name that `--only` takes. */
  id: string
  about: string
  /** Says what the machine lacks for this row. */
  missing?(): string | null
  run(context: RowContext): Promise<Finding[]>
}

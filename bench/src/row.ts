/** What was measured over the rounds of a run, in the finding's unit. */
export type Figure = { median: number; low: number; high: number }

/** One figure with the goal that it is held against. */
export type Finding = {
  what: string
  /** What it is compared with, in the same run; absent where the goal is an absolute figure. */
  rival?: string
  unit: 'x' | 'ms' | 'MiB' | 'requests'
  figure: Figure
  /** Absent where the figure is only reported. */
  goal?: { least: number } | { most: number }
  /** The best that could be, where it is known. */
  limit?: string
  /** Rates and facts behind the figure, for the report. */
  notes?: string[]
  /** Further rivals in the same run. */
  others?: OtherRival[]
}

/** One more rival of a finding. */
export type OtherRival = {
  /** With its version. */
  rival: string
  /** What it did, by which of its own calls. */
  how: string
  /** The finding's figure against this rival; absent when the rival is not installed. */
  figure?: Figure
}

/** How a cost grows: what the plot shows. Costs are microseconds. */
export type Growth = { name: string; over: string; points: { size: number; cost: Figure }[] }

/** What a row has found. `skipped` says in words what the machine lacks for it; then there are no findings. */
export type Measured = { findings: Finding[]; growth?: Growth[]; skipped?: string }

/** The settings of a run, as a row takes them. */
export type RowContext = {
  /** How often each side takes its turn. */
  rounds: number
  /** Prints on the terminal what is happening. */
  progress(text: string): void
}

/** One row of the goals table: everything that is measured with the same set-up. */
export type Row = {
  /** The name that `--only` takes. */
  id: string
  /** Its line in `--list`. */
  about?: string
  run(context: RowContext): Promise<Measured>
}

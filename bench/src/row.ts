import type { Figure } from './figures.ts'
import type { GoalId } from './goals.ts'

/** The settings of a run. */
export type RowContext = {
  /** How many rounds are measured, after one that warms up. */
  rounds: number
  /** Prints the current activity. */
  progress(text: string): void
}

/** The figures of a row, by their goals. */
export type Measured = { [Id in GoalId]?: Figure }

/** Everything that is measured with one setup. */
export type Row = {
  /** The name that `--only` takes. */
  id: string
  about: string
  /** @throws {MissingProgram} when the machine lacks a program for this row. */
  run(context: RowContext): Promise<Measured>
}

/** Skips a row, with what the machine lacks. */
export class MissingProgram extends Error {}

import type { Figure } from './figures.ts'
import type { GoalId } from './goals.ts'

/** Options of a run. */
export type RowContext = {
  /** Number of measured rounds, after one warm-up. */
  rounds: number
  /** Prints the current activity. */
  progress(text: string): void
}

/** A row's figures by goal. */
export type Measured = { [Id in GoalId]?: Figure }

/** The measurements of one setup. */
export type Row = {
  /** The name for `--only`. */
  id: string
  about: string
  /** @throws {MissingProgram} if the machine lacks a required program. */
  run(context: RowContext): Promise<Measured>
}

/** Skips a row; the message says what is missing. */
export class MissingProgram extends Error {}

import type { Figure } from './figures.ts'
import type { GoalId } from './goals.ts'

export type RowContext = {
  /** Number of measured rounds, excluding the warm-up. */
  rounds: number
  /** Prints the row's current activity. */
  progress(text: string): void
}

/** A row's figures, keyed by goal. */
export type Measured = { [Id in GoalId]?: Figure }

/** A group of measurements with one setup. */
export type Row = {
  /** The row's name for `--only`. */
  id: string
  about: string
  /** @throws {MissingProgram} if the machine lacks a required program. */
  run(context: RowContext): Promise<Measured>
}

/** Thrown to skip a row. The message names the missing program. */
export class MissingProgram extends Error {}

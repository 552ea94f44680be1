// Measures one row: each has a process of its own, so that no row runs with the heap and the compiled code of another.
import { serve } from './processes.ts'
import { type Measured, MissingProgram } from './row.ts'
import { rows } from './rows.ts'

const functions = {
  async run({ id, rounds }: { id: string; rounds: number }): Promise<{ measured: Measured; skipped?: string }> {
    const row = rows.find((candidate) => candidate.id === id)
    if (!row) throw new TypeError(`There is no row ${id}.`)
    try {
      return { measured: await row.run({ rounds, progress: (text) => console.error(`  ${id}: ${text}`) }) }
    } catch (error) {
      if (error instanceof MissingProgram) return { measured: {}, skipped: error.message }
      throw error
    }
  },
}
/** A row in its process. */
export type RowProcess = typeof functions
serve(functions)

// Measures one row in a separate process, so that rows do not share a heap or compiled code.
import { serve } from './processes.ts'
import { type Measured, MissingProgram } from './row.ts'
import { rows } from './rows.ts'

const functions = {
  async run({ id, rounds }: { id: string; rounds: number }): Promise<{ measured: Measured; skipped?: string }> {
    const row = rows.find((candidate) => candidate.id === id)
    if (!row) throw new TypeError(`Unknown row ${id}.`)
    try {
      return { measured: await row.run({ rounds, progress: (text) => console.error(`  ${id}: ${text}`) }) }
    } catch (error) {
      if (error instanceof MissingProgram) return { measured: {}, skipped: error.message }
      throw error
    }
  },
}
/** Functions of a row process. */
export type RowProcess = typeof functions
serve(functions)

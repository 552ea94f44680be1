// Measures one row: each has a process of its own, so that no row runs with the heap and the compiled code of another.
import { serve } from './processes.ts'
import type { Finding } from './row.ts'
import { rows } from './rows.ts'

/** What `main.ts` asks for. */
export type RowProcess = {
  run(asked: { id: string; rounds: number }): Promise<{ findings: Finding[]; skipped?: string }>
}

serve({
  async run({ id, rounds }) {
    const row = rows.find((candidate) => candidate.id === id)
    if (!row) throw new TypeError(`There is no row ${id}.`)
    const skipped = row.missing?.()
    if (skipped) return { findings: [], skipped }
    return { findings: await row.run({ rounds, progress: (text) => console.error(`  ${id}: ${text}`) }) }
  },
} satisfies RowProcess)

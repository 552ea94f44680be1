// Measures one row: the process that `runRow` starts.
import { rows } from './rows.ts'

const [id, rounds] = process.argv.slice(2)
const send = (message: object) => new Promise((resolve) => process.send?.(message, undefined, undefined, resolve))

// The process that started this one has ended.
process.on('disconnect', () => process.exit(1))
// With an orderly exit, so that temporary folders go.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))

try {
  const row = rows.find((candidate) => candidate.id === id)
  if (!row) throw new TypeError(`There is no row ${id}.`)
  const progress = (text: string) => void send({ progress: text })
  await send({ result: await row.run({ rounds: Number(rounds), progress }) })
} catch (error) {
  console.error(error)
  await send({ failure: error instanceof Error ? error.message : String(error) })
}
// What a row leaves behind must not keep the others waiting.
process.exit(0)

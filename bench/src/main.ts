// `npm run bench` measures the project's figures in one run and compares them with their goals and with named rivals.
import { parseArgs } from 'node:util'
import { startService } from './processes.ts'
import { describeOutcome, exitCodeOf, formatDetails, formatTable, type Outcome, type Report } from './report.ts'
import type { RowProcess } from './rowProcess.ts'
import { rows } from './rows.ts'
import { describeThisMachine, writeReport } from './writeReport.ts'

const usage = `npm run bench -- [options]

  --only ROW    measure only this row; can be repeated
  --rounds N    number of measured rounds (3)
  --readme      insert the table into the README; requires all rows
  --list        list the rows
  --help        show this help

Exits with status 1 if a goal is missed or a row fails.`

/** A row running longer than this is considered hung. */
const rowLimitMs = 10 * 60_000

// Passes on this process's Node options, so that programs started by rows run from source.
process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], ...process.execArgv].join(' ').trim()
// Exits with the parent script of `npm run bench`, which holds the other end of the IPC channel.
process.once('disconnect', () => process.exit(1))

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
process.channel?.unref()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '3' },
      readme: { type: 'boolean', default: false },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const { only, readme } = values
  const rounds = Number(values.rounds)
  if (values.help) console.log(usage)
  if (values.list) console.log(rows.map(({ id, about }) => `${id.padEnd(18)} ${about}`).join('\n'))
  if (values.help || values.list) return 0
  for (const id of only) {
    if (!rows.some((row) => row.id === id)) throw new TypeError(`Unknown row "${id}". Use --list to see all rows.`)
  }
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds must be a positive integer.')
  if (readme && only.length > 0)
    throw new TypeError('--readme cannot be combined with --only, since the README needs all rows.')

  const machine = describeThisMachine()
  const outcomes: Outcome[] = []
  for (const { id } of rows.filter((row) => only.length === 0 || only.includes(row.id))) {
    const outcome = await measure(id, rounds)
    console.error(describeOutcome(outcome))
    outcomes.push(outcome)
  }
  const report: Report = { machine, rounds, outcomes }
  console.log(`\n${formatTable(report)}\n${formatDetails(report)}`)
  console.error(`Wrote ${writeReport(report, { readme }).join(', ')}`)
  return exitCodeOf(report)
}

/** Measures a row. An error becomes the row's outcome, so that the remaining rows still run. */
async function measure(id: string, rounds: number): Promise<Outcome> {
  const started = performance.now()
  await using row = startService<RowProcess>(new URL('rowProcess.ts', import.meta.url), {
    execArgv: ['--expose-gc'],
    timeoutMs: rowLimitMs,
  })
  const seconds = () => Math.round((performance.now() - started) / 1_000)
  try {
    return { id, ...(await row.call('run', { id, rounds })), seconds: seconds() }
  } catch (error) {
    return { id, seconds: seconds(), measured: {}, failure: (error as Error).message }
  }
}

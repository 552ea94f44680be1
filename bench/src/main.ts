// `npm run bench`: measures the project's figures against their goals and named rivals, in one run.
import { parseArgs } from 'node:util'
import { startService } from './processes.ts'
import { describeOutcome, exitCodeOf, formatDetails, formatTable, type Outcome, type Report } from './report.ts'
import type { RowProcess } from './rowProcess.ts'
import { rows } from './rows.ts'
import { describeThisMachine, writeReport } from './writeReport.ts'

const usage = `npm run bench -- [options]

  --only ROW    measure this row alone; may be given more than once
  --rounds N    how often each side takes its turn (3)
  --readme      put the table into the README; needs all rows
  --list        name the rows
  --help        this text

Ends with 1 when a goal is missed or a row fails.`

/** A row that exceeds this time hangs. */
const rowLimitMs = 10 * 60_000

// Programs that rows start also run from sources.
process.env['NODE_OPTIONS'] = [process.env['NODE_OPTIONS'], ...process.execArgv].join(' ').trim()
// Under `npm run bench`, exits with the script at the other end of the IPC channel.
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
    if (!rows.some((row) => row.id === id)) throw new TypeError(`There is no row "${id}". Use --list to see all rows.`)
  }
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds must be a whole number above zero.')
  if (readme && only.length > 0)
    throw new TypeError('--readme and --only exclude each other, since the README shows all rows.')

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

/** An error becomes the row's outcome, so that the other rows still run. */
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

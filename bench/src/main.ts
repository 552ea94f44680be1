// `npm run bench`: what Firmquote exists for, against named rivals in the same run.
import { parseCommandLine, usage } from './commandLine.ts'
import { describeThisMachine } from './machine.ts'
import { installRivals } from './rivals.ts'
import { rows } from './rows.ts'
import { exitCodeOf, formatDetails, formatTable, type Outcome, type RunReport } from './runReport.ts'
import { runRow } from './runRow.ts'
import { createTerminal } from './terminal.ts'
import { writeReport } from './writeReport.ts'

const asked = parseCommandLine(
  process.argv.slice(2),
  rows.map(({ id }) => id),
)
if (typeof asked === 'string') {
  console.error(asked)
  process.exitCode = 2
} else if ('print' in asked) {
  console.log(asked.print === 'help' ? usage : rows.map(({ id, about = '' }) => `${id.padEnd(16)} ${about}`).join('\n'))
} else {
  process.exitCode = await measure(asked)
}
// Under `npm run bench` there is a channel to the script that started this, which would keep it alive.
if (process.connected) process.disconnect()

async function measure({ only, rounds, readme }: { only: string[]; rounds: number; readme: boolean }): Promise<number> {
  const stopped = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => stopped.abort())
  const terminal = createTerminal(process.stderr, process.env)
  const machine = describeThisMachine()
  const rivalsProblem = await installRivals(terminal.progress)
  if (rivalsProblem) terminal.line(`Rivals are missing: ${rivalsProblem}`)

  const chosen = rows.filter(({ id }) => only.length === 0 || only.includes(id))
  const outcomes: Outcome[] = []
  for (const [index, { id }] of chosen.entries()) {
    const progress = (text: string) => terminal.progress(`[${index + 1}/${chosen.length}] ${id}: ${text}`)
    progress('starting')
    const outcome = await runRow(id, rounds, progress, { signal: stopped.signal, log: terminal.line })
    if (stopped.signal.aborted) return 130
    terminal.outcome(outcome)
    outcomes.push(outcome)
  }

  const report: RunReport = { machine, rounds, ...(rivalsProblem && { rivalsProblem }), outcomes }
  terminal.line('')
  console.log(`${formatTable(report)}\n${formatDetails(report)}`)
  terminal.line(`Written: ${writeReport(report, { readme }).join(', ')}`)
  return exitCodeOf(report)
}

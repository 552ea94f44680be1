import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { parseCommandLine, usage } from './commandLine.ts'
import { runSimulation } from './runSimulation.ts'

const write = (text: string) => void process.stdout.write(text)
const commandLine = parseCommandLine(process.argv.slice(2), () => randomInt(1e9))
if ('text' in commandLine) write(commandLine.text)
else if ('mistake' in commandLine) {
  process.stderr.write(`${commandLine.mistake}\n${usage}`)
  process.exitCode = 2
} else {
  const { passed, failed } = await runSimulation(commandLine.options, write)
  // For `.ci/run`.
  const { FIRMQUOTE_COUNTS: counts } = process.env
  if (counts) appendFileSync(counts, `${passed} ${failed} 0\n`)
  if (failed > 0) process.exitCode = 1
}

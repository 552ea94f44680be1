import { randomInt } from 'node:crypto'
import { parseCommandLine, usage } from './commandLine.ts'
import { runSimulation } from './runSimulation.ts'

const write = (text: string) => void process.stdout.write(text)
const commandLine = parseCommandLine(process.argv.slice(2), () => randomInt(1e9))
if ('text' in commandLine) write(commandLine.text)
else if ('mistake' in commandLine) {
  process.stderr.write(`${commandLine.mistake}\n${usage}`)
  process.exitCode = 2
} else if (!(await runSimulation(commandLine.options, write))) process.exitCode = 1

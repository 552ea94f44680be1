import { randomInt } from 'node:crypto'
import { parseCommandLine, usage } from './commandLine.ts'
import { runPlanted } from './runPlanted.ts'
import { runSimulation } from './runSimulation.ts'

const write = (text: string) => void process.stdout.write(text)
const commandLine = parseCommandLine(process.argv.slice(2), () => randomInt(1e9))
if ('text' in commandLine) write(commandLine.text)
else if ('mistake' in commandLine) {
  process.stderr.write(`${commandLine.mistake}\n${usage}`)
  process.exitCode = 2
} else {
  const { options } = commandLine
  const hasPassed = options.planted ? await runPlanted(options, write) : await runSimulation(options, write)
  if (!hasPassed) process.exitCode = 1
}

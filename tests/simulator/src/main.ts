import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ScenarioName, scenarios } from './plan.ts'
import { runSimulation } from './runSimulation.ts'

const names = Object.keys(scenarios) as ScenarioName[]
const usage = `Usage: npm run simulate -- [options]

  --minutes M       run histories for M minutes (1)
  --scenario NAME   ${names.join(', ')} (default: cycles through all)
  --seed S          run only the history of this seed and print its trace
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    scenario: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const { minutes, scenario, seed, help } = values
const chosen = names.filter((name) => name === (scenario ?? name))
if (help || chosen.length === 0 || !(Number(minutes) > 0) || !/^\d{1,9}$/.test(seed ?? '0')) {
  process.stdout.write(usage)
  process.exitCode = help ? 0 : 2
} else {
  const options = { minutes: Number(minutes), scenarios: chosen, isAlone: seed !== undefined }
  const { passed, failed } = await runSimulation(
    { ...options, from: seed === undefined ? randomInt(1e9) : Number(seed) },
    (text) => void process.stdout.write(text),
  )
  // `.ci/run` sets this.
  const { FIRMQUOTE_COUNTS: counts } = process.env
  if (counts) appendFileSync(counts, `${passed} ${failed} 0\n`)
  if (failed > 0) process.exitCode = 1
}

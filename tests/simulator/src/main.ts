import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ScenarioName, scenarios } from './plan.ts'
import { runSimulation } from './runSimulation.ts'

const names = Object.keys(scenarios) as ScenarioName[]
const usage = `Usage: npm run simulate -- [options]

  --minutes M       run histories for M minutes (1)
  --histories N     run N histories, however long they take
  --from S          begin with this seed (random)
  --scenario NAME   ${names.join(', ')} (default: cycles through all)
  --seed S          run only the history of this seed and print its trace
`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    histories: { type: 'string' },
    from: { type: 'string' },
    scenario: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const { histories, from, scenario, seed, help } = values
const minutes = Number(values.minutes ?? (histories === undefined ? 1 : Number.POSITIVE_INFINITY))
const chosen = names.filter((name) => name === (scenario ?? name))
const isNumber = (text = '1') => /^\d{1,9}$/.test(text)
if (help || chosen.length === 0 || !(minutes > 0) || ![histories, from, seed].every(isNumber)) {
  process.stdout.write(usage)
  process.exitCode = help ? 0 : 2
} else {
  const options = {
    ...{ minutes, scenarios: chosen, isAlone: seed !== undefined },
    histories: Number(histories ?? Number.POSITIVE_INFINITY),
    from: Number(seed ?? from ?? randomInt(1e9)),
  }
  const { passed, failed } = await runSimulation(options, (text) => void process.stdout.write(text))
  // `.ci/run` sets this.
  const { FIRMQUOTE_COUNTS: counts } = process.env
  if (counts) appendFileSync(counts, `${passed} ${failed} 0\n`)
  if (failed > 0) process.exitCode = 1
}

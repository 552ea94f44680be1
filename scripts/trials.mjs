// Why: docs/decisions/0014-trials.md
// `npm run trials` runs the long or random tests, `*.trial.ts`, for any number of rounds.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** Trials that take minutes. One round of `bigLog` and `clockSteps` is part of `npm test`. */
const onDemand = ['bigLog', 'clockSteps', 'release', 'runtimes', 'silence']

const usage = `Usage: npm run trials -- [options] [pattern of files …]

  --rounds N   number of rounds per trial (10)
  --seed S     seed for random choices; printed by each run (random)
  --workers N  number of files to run in parallel (1); trials with strict time limits run afterwards, one at a time
  --shard I/N  run only the I-th of N parts of the files, as divided by Jest
  --servers W  servers for the tests: one (default), three (a cluster), or old-and-new (two instances, one of which runs the
               program before its last migrations). With the last two, the files of npm test are also run

These trials take minutes and run only if a pattern names them: ${onDemand.join(', ')}.
`

/** Trials whose time limits require an idle machine. The other trials may run in parallel. */
const timed = [
  'alerts',
  'auction',
  'checkpointTimers',
  'contractSessions',
  'crash',
  'docsSite',
  'expensiveReads',
  'failover',
  'idempotencyKeys',
  'interleavings',
  'nodes',
  'opener',
  'orderedStop',
  'outages',
  'pageLoad',
  'pipelinedGets',
  'randomAttacker',
  'reconnects',
  'storageFaults',
].map((name) => `**/${name}.trial.ts`)

const { values, positionals } = parse()
if (values.help) {
  console.log(usage)
  process.exit()
}
const rounds = parseWhole('--rounds', values.rounds, 1, 1e6)
const seed = parseWhole('--seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)), 0, 2 ** 31 - 1)
const workers = parseWhole('--workers', values.workers, 1, 64)
if (workers > 1 && positionals.length > 0) fail('--workers cannot be combined with a pattern, since it runs all files.')
const { servers } = values
if (!['one', 'three', 'old-and-new'].includes(servers)) fail('--servers must be one, three or old-and-new.')
console.log(`Running trials with --rounds ${rounds} --seed ${seed}`)

const played = servers === 'one' ? '**/*.trial.ts' : '**/*.{trial,test}.ts'
const unasked = positionals.length > 0 ? [] : onDemand.map((name) => `!**/${name}.trial.ts`)
const codes =
  workers === 1
    ? [play([played, ...unasked], ['--runInBand', ...positionals])]
    : [
        play([played, ...unasked, ...timed.map((file) => `!${file}`)], [`--maxWorkers=${workers}`]),
        play(timed, ['--runInBand']),
      ]
process.exitCode = codes.find((code) => code !== 0) ?? 0

/** Runs the matching files and returns Jest's exit status. */
function play(files, flags) {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
  const shard = values.shard === undefined ? [] : [`--shard=${values.shard}`]
  const { status } = spawnSync(process.execPath, [...jest, '--testMatch', ...files, ...flags, ...shard], {
    env: { ...process.env, ROUNDS: String(rounds), SEED: String(seed), SERVED_BY: servers },
    stdio: 'inherit',
  })
  return status ?? 1
}

function parse() {
  const options = {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    workers: { type: 'string', default: '1' },
    servers: { type: 'string', default: 'one' },
    shard: { type: 'string' },
    help: { type: 'boolean' },
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return fail(error.message)
  }
}

function parseWhole(name, text, least, most) {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    fail(`${name} must be an integer from ${least} to ${most}.`)
  }
  return value
}

function fail(message) {
  process.stderr.write(`${message}\n${usage}`)
  process.exit(2)
}

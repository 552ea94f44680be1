#!/usr/bin/env node
// What `npm start`, `npm test` and the other root scripts run. Needs nothing but Node 20 and npm: it installs what the
// workspace pins (pnpm and Node 24 among it), builds what is stale, and hands over.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const node = join(root, 'node_modules', 'node', 'bin', 'node')
const stamp = join(root, 'node_modules', '.firmquote-installed')
const env = { ...process.env, PATH: bin + delimiter + process.env.PATH, TURBO_TELEMETRY_DISABLED: '1' }
delete env.npm_config_yes

const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
const commands = {
  start: { build: ['--filter=@firmquote/demo^...'], run: [node, ['apps/demo/src/main.ts']] },
  test: { build: [], run: [node, jest] },
  build: { build: [] },
  check: { build: [], run: [node, ['scripts/check.mjs']] },
  bench: { build: ['--filter=@firmquote/bench^...'], run: [node, ['packages/bench/src/main.ts']] },
}

const [name, ...rest] = process.argv.slice(2)
const command = commands[name ?? '']
if (!command) fail(`Unknown command ${name}. There are: ${Object.keys(commands).join(', ')}.`, 2)
if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`Firmquote needs Node 20 or newer to start; this is ${process.version}.`)
}

install()
step('Building', join(bin, 'turbo'), ['run', 'build', '--output-logs=errors-only', ...command.build])
if (command.run) handOver(command.run[0], [...command.run[1], ...rest])

function install() {
  const inputs = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => readFileSync(join(root, file)))
  const wanted = createHash('sha256').update(Buffer.concat(inputs)).digest('hex')
  if (existsSync(stamp) && existsSync(node) && readFileSync(stamp, 'utf8') === wanted) return
  const { packageManager } = JSON.parse(inputs[0].toString())
  step('Installing dependencies', 'npx', ['--yes', packageManager, 'install', '--frozen-lockfile'])
  writeFileSync(stamp, wanted)
}

/** Runs one step with its output held back, and shows the output only if the step fails. */
function step(title, file, args) {
  const started = performance.now()
  process.stdout.write(`${title} … `)
  const result = spawnSync(file, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (result.status === 0) {
    process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    return
  }
  if (result.signal) process.exit(130)
  process.stdout.write('failed\n')
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}`)
  fail(`${title} failed: ${file} ${args.join(' ')}`)
}

/** Runs the real thing in the foreground. The channel tells it when this process is gone, however it went. */
function handOver(file, args) {
  const child = spawn(file, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // A terminal sends Ctrl-C to the whole group; the child decides when it is done.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

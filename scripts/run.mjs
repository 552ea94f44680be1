#!/usr/bin/env node
// Runs `npm start`, `npm test` and the other root scripts. Requires only Node 20 and npm. Installs the workspace's
// pinned dependencies (including pnpm and Node 24), builds stale packages, and starts the command.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slowTests } from '../jest.config.mjs'
import { chromium, findBrowser, firefox, whyNotInstallable } from './findBrowser.mjs'

const [name, ...rest] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const node = join(root, 'node_modules', 'node', 'bin', 'node')
const stamp = join(root, 'node_modules', '.firmquote-installed')
const env = {
  ...process.env,
  PATH: bin + delimiter + process.env.PATH,
  TURBO_TELEMETRY_DISABLED: '1',
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --conditions=@firmquote/source --disable-warning=ExperimentalWarning`,
}
delete env.npm_config_yes

const findPrograms = 'packages/cluster/src/findPrograms.ts'
const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js']
/** Test files or patterns given on the command line. Tests named there run even if they are slow. */
const named = rest.filter((arg) => !arg.startsWith('-') && /[a-z]/i.test(arg))
const unlessNamed = (args) => (named.length > 0 ? [] : args)

/** The Turbo filter for the web app, the only package that must be built. Programs and tests run from source. */
const webApp = ['--filter=@firmquote/web']
const everything = []
const commands = {
  start: { build: webApp, run: ['apps/demo/src/main.ts'] },
  test: {
    build: testsNeedWebApp() ? webApp : undefined,
    run: [...jest, ...unlessNamed(['--testPathIgnorePatterns', '/node_modules/', '/dist/', ...slowTests])],
  },
  'test:slow': { build: everything, run: [...jest, ...unlessNamed(slowTests)] },
  trials: { build: everything, run: ['scripts/trials.mjs'] },
  build: { build: everything },
  generate: { program: join(bin, 'pnpm'), run: ['--recursive', '--sort', 'run', 'generate'] },
  check: { build: everything, run: ['scripts/check.mjs'] },
  docs: {
    // The run takes a few seconds with a large heap, so V8's optimizing compiler and parallel collector cost more time
    // than they save.
    run: ['--max-semi-space-size=64', '--max-opt=2', '--no-parallel-scavenge', 'apps/docs/src/main.ts'],
  },
  cli: { run: ['apps/cli/src/main.ts'] },
  load: { run: ['bench/src/load/main.ts'] },
  release: { build: everything, run: ['scripts/release.mjs'] },
  bench: { run: ['bench/src/main.ts'] },
  simulate: { run: ['--max-semi-space-size=64', 'tests/simulator/src/main.ts'] },
  mutate: { run: ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run'] },
}

// If the argument is a program's path, runs that program from source.
const command = commands[name ?? ''] ?? (existsSync(name ?? '') ? { run: [name] } : undefined)
if (!command)
  fail(`Unknown command ${name}. Expected the path of a program or one of: ${Object.keys(commands).join(', ')}.`, 2)
if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`Firmquote requires Node 20 or later to start, but this is ${process.version}.`)
}

await install()
if (command.build) {
  await step('Building', join(bin, 'turbo'), ['run', 'build', '--output-logs=errors-only', ...command.build])
}
if (name === 'test' || name === 'test:slow') await provideForTests()
if (name === 'start' && rest.includes('--cluster')) {
  await installPackages(missingPackages().filter((service) => service === 'nats-server'))
}
if (command.run) handOver(command.program ?? node, [...command.run, ...rest])

/**
 * Tests of the web app require a current build. Other tests that start a server accept any build of the web app, even a
 * stale one.
 */
function testsNeedWebApp() {
  if (named.length === 0 || !existsSync(join(root, 'apps/web/dist/index.html'))) return true
  return named.some((pattern) => /e2e|web|browser/.test(pattern))
}

async function install() {
  const inputs = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => readFileSync(join(root, file)))
  const wanted = createHash('sha256').update(Buffer.concat(inputs)).digest('hex')
  if (existsSync(stamp) && existsSync(node) && readFileSync(stamp, 'utf8') === wanted) return
  const { packageManager } = JSON.parse(inputs[0].toString())
  await step('Installing dependencies', 'npx', ['--yes', packageManager, 'install', '--frozen-lockfile'])
  writeFileSync(stamp, wanted)
}

/**
 * Installs the browsers and services that the requested tests need and that are missing. If the installation fails,
 * those tests are skipped, and the reason is printed at the end.
 */
async function provideForTests() {
  const services = missingPackages()
  const browsers = [chromium, firefox].filter((kind) => {
    return !env[kind.variable] && !findBrowser(env, kind).path && !whyNotInstallable([kind.package], env)
  })
  if (browsers.length + services.length === 0) return
  const asked = listTests([...command.run.slice(jest.length), ...rest])
  const needs = (kind, pattern) => browsers.includes(kind) && asked.some((file) => pattern.test(file))
  const related = services.length > 0 ? listTests(['--findRelatedTests', findPrograms]) : []
  await installPackages([
    ...(needs(chromium, /\.browser\.test\.ts$/) ? [chromium.package] : []),
    ...(related.some((file) => asked.includes(file)) ? services : []),
  ])
  // Firefox is installed separately, since some systems provide the other packages but not this one.
  if (needs(firefox, /firefox\.browser\.test\.ts$/)) await installPackages([firefox.package])
}

/** Installable Debian packages for the missing services. */
function missingPackages() {
  const script = `import { packagesToInstall } from './scripts/missingServices.mjs'; console.log(JSON.stringify(packagesToInstall()))`
  const { stdout } = spawnSync(node, ['--input-type=module', '--eval', script], { cwd: root, env, encoding: 'utf8' })
  return JSON.parse(stdout)
}

function listTests(args) {
  const { stdout } = spawnSync(node, [...jest, '--listTests', ...args], { cwd: root, env, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line !== '')
}

async function installPackages(packages) {
  if (packages.length === 0) return
  const failure = await attempt(`Installing ${packages.join(', ')}`, 'sh', ['scripts/installPackages.sh', ...packages])
  if (failure === undefined) return
  const why = `apt-get could not install ${packages.join(', ')} (${failure.trim().split('\n').at(-1)})`
  const failures = [env.FIRMQUOTE_INSTALL_FAILURE, why].filter(Boolean)
  env.FIRMQUOTE_INSTALL_FAILURE = failures.join(', and ')
}

async function step(title, file, args) {
  const failure = await attempt(title, file, args)
  if (failure === undefined) return
  process.stderr.write(failure)
  fail(`${title} failed: ${file} ${args.join(' ')}`)
}

/** Runs one step and prints its output only on failure. */
async function attempt(title, file, args) {
  const started = performance.now()
  process.stdout.write(`${title} … `)
  const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const { code, signal, error } = await new Promise((resolve) => {
    child.on('error', (error) => resolve({ error }))
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  if (signal) process.exit(130)
  process.stdout.write(code === 0 ? `${((performance.now() - started) / 1000).toFixed(1)} s\n` : 'failed\n')
  return code === 0 ? undefined : `${output}${error ? `${error.message}\n` : ''}`
}

/** Runs the command in the foreground. The IPC channel closes when this process ends, for whatever reason. */
function handOver(file, args) {
  const child = spawn(file, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // The child decides when to exit. A Ctrl-C in a terminal reaches the child twice.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

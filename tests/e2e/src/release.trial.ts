import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@firmquote/cluster/freePort'
import { backers } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { zeroAddress, zeroHash } from 'viem'
import { root } from './pack.ts'
import { startPlannedBacker } from './plannedBacker.ts'
import { config } from './release/config.ts'
import { createRegistry, type Registry } from './release/createRegistry.ts'
import { publishScript } from './release/publishScript.ts'
import { killTerminals, openTerminal } from './terminal.ts'

// Rehearses a release. Changesets create versions in a copy of the repository, and the release script and workflow
// publish them to a test registry. A user installs the packages from it, runs the demo and a server, then upgrades to
// the next release.

const run = promisify(execFile)
let registry: Registry
let folder: string
let copy: string
let released: string[]
/** The user's shell environment: the machine's environment plus the registry and a private npm cache. */
let settings: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-release-'))
  copy = copyRepository(join(folder, 'repository'))
  writeFileSync(join(folder, 'release.config.json'), JSON.stringify(config))
  registry = await createRegistry()
  settings = {
    'npm_config_@firmquote:registry': registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_cache: join(folder, 'npm'),
    npm_config_yes: 'true',
    npm_config_update_notifier: 'false',
    // A user's environment contains neither the test's libraries nor Jest's flags.
    NODE_OPTIONS: '',
  }
  released = await release()
}, 300_000)

afterEach(killTerminals)

afterAll(async () => {
  await registry?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** Copies the files of the built repository that a release modifies, and shares its installed packages. */
function copyRepository(to: string): string {
  cpSync(root, to, {
    recursive: true,
    verbatimSymlinks: true,
    // A build must stay newer than its sources.
    preserveTimestamps: true,
    filter: (file) =>
      ![join(root, 'node_modules'), join(root, 'apps/server/dist/learn')].includes(file) &&
      !/^\.(?:firmquote|turbo|stryker-tmp)$/.test(basename(file)),
  })
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'))
  // No test here reads the docs site, which takes long to build.
  mkdirSync(join(to, 'apps/server/dist/learn/assets'), { recursive: true })
  return to
}

/** Creates and publishes the next version of every package. Returns them as `name@version`. */
async function release(): Promise<string[]> {
  const inCopy = (file: string, args: string[]) =>
    run(file, args, { cwd: copy, env: { ...process.env, ...settings }, maxBuffer: 1 << 24 })
  const script = join(copy, 'scripts/release.mjs')
  await inCopy(process.execPath, [script, 'version'])
  // Core's source contains the version. pnpm would link the shared packages to this copy.
  await run(process.execPath, [join(root, 'node_modules/tsup/dist/cli-default.js')], {
    cwd: join(copy, 'packages/core'),
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const out = mkdtempSync(join(folder, 'release-'))
  const prepared = join(out, 'prepared')
  await inCopy(process.execPath, [
    script,
    'prepare',
    '--out',
    prepared,
    '--config',
    join(folder, 'release.config.json'),
  ])
  const packages: { name: string; version: string }[] = JSON.parse(readFileSync(join(prepared, 'release.json'), 'utf8'))
  await publishScript({
    folder: out,
    version: packages[0]?.version ?? '',
    registry: registry.url,
    token: 'a-token',
  })
  await inCopy(process.execPath, [script, 'verify', '--from', prepared, '--registry', registry.url, '--no-provenance'])
  return packages.map(({ name, version }) => `${name}@${version}`)
}

/** Creates an empty folder, as a newcomer would. */
function newFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

/** Lists all processes whose command line contains a path. */
async function processesOf(place: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => line.includes(place))
}

test('default: every published package can be installed from the registry and used', async () => {
  const packages = ['addresses', 'cli', 'core', 'daemon', 'demo', 'devnet', 'react', 'sdk', 'server', 'verify']
  expect(released.map((name) => name.replace(/@[^@]+$/, '')).sort()).toEqual(
    packages.map((name) => `@firmquote/${name}`),
  )
  const project = newFolder('project')
  await openTerminal(
    'npm init -y && npm install @firmquote/sdk @firmquote/addresses viem',
    project,
    settings,
  ).succeeds()
  writeFileSync(
    join(project, 'use.mjs'),
    `import { ServiceClient } from '@firmquote/sdk'
     import { QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
     console.log(new ServiceClient().getConfig().quoteMarketAddress === QUOTE_MARKET_ADDRESS)`,
  )
  expect((await openTerminal('node use.mjs', project, settings).succeeds()).trim()).toBe('true')
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/@firmquote/sdk/package.json'), 'utf8'))
  expect(manifest).toMatchObject({ homepage: config.homepage, bugs: { url: config.bugs } })
  expect(manifest.repository.url).toContain(config.repository)
  await openTerminal('npm uninstall @firmquote/sdk @firmquote/addresses viem', project, settings).succeeds()
  // npm leaves empty scope folders.
  expect(globSync('node_modules/**/package.json', { cwd: project })).toEqual([])
}, 180_000)

test('default: npx @firmquote/demo runs an auction in the terminal and leaves nothing behind', async () => {
  const [port, rpcPort] = [await freePort(), await freePort()]
  const home = newFolder('newcomer')
  const temporary = newFolder('temporary')
  const environment = { ...settings, PORT: String(port), RPC_PORT: String(rpcPort), TMPDIR: temporary }
  const demo = openTerminal('npx @firmquote/demo', home, { ...environment, AUCTION_DURATION_MS: '2000' })
  await demo.shows(new RegExp(`^ready http://localhost:${port}$`, 'm'))
  const [ask] = await demo.shows(/(?<=^ {2})FIRMQUOTE_PRIVATE_KEY=\S+ npx @firmquote\/cli rfq .*$/m)
  expect(await openTerminal(ask, home, environment).succeeds()).toMatch(/^Fixed 250,000 tUSD of 250,000 tUSD /m)
  const [borrow] = await demo.shows(/(?<=^ {2})node \S+borrow\.mjs .*$/m)
  expect(await openTerminal(borrow, home, environment).succeeds()).toMatch(/^success: /m)
  expect(
    await openTerminal('npx @firmquote/daemon init --dir maker', home, {
      ...environment,
      FIRMQUOTE_KEYSTORE_PASSWORD: 'what a newcomer types',
    }).succeeds(),
  ).toMatch(/^The maker is 0x\w{40}\.$/m)
  await demo.interrupt()
  expect(await processesOf(folder)).toEqual([])
  expect(readdirSync(temporary)).toEqual([])
  expect(readdirSync(home)).toEqual(['maker'])
}, 300_000)

test('default: upgrading a running server to the next release preserves its quotes and an open auction', async () => {
  const project = newFolder('operator')
  const [port, rpcPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const environment = {
    ...settings,
    PORT: String(port),
    RPC_URL: `http://127.0.0.1:${rpcPort}`,
    // The server is stopped during an auction, with too little time for the auction to end.
    AUCTION_DURATION_MS: '15000',
    SHUTDOWN_TIMEOUT_MS: '500',
  }
  const chain = openTerminal(`npx @firmquote/devnet --port ${rpcPort}`, project, settings)
  await chain.shows(/0xBcd4042DE499D14e55001CcbB24a551F3b954096/i)
  await openTerminal('npm init -y && npm install @firmquote/server', project, settings).succeeds()
  const start = async () => {
    const server = openTerminal('exec node_modules/.bin/firmquote-server', project, environment)
    await server.shows(/^ready /m)
    return server
  }
  const versionOf = () => openTerminal('node_modules/.bin/firmquote-server --version', project, environment).succeeds()
  const old = await start()
  const before = await versionOf()
  const client = new ServiceClient({ orderbookUrl: url })
  const [pool] = await client.getPoolRates()
  const series = pool?.series.at(-1)
  if (!pool || !series) throw new TypeError('The devnet has no series.')
  const maker = await startPlannedBacker(url, backers[0], { aprBps: 500n, delayMs: 0 })
  const now = Math.floor(Date.now() / 1_000)
  const published = await maker.client.submitQuoteMarketQuote(
    await maker.client.signQuoteMarketQuote({
      ...{ maker: backers[0].address, taker: zeroAddress, poolId: pool.poolId, seriesKey: series.seriesKey },
      ...{ notional: 10n ** 9n, vrtAmount: 10n ** 7n, nonce: 0n, deadline: BigInt(now + 3_600), salt: zeroHash },
    }),
  )
  const events = client.streamQuotes({ poolId: pool.poolId, seriesKey: series.seriesKey, notional: 10n ** 9n })
  const started = (await events.next()).value
  if (started?.type !== 'started') throw new TypeError('The auction has not started.')
  const { rfqId } = started.data
  const offered = (await events.next()).value
  if (offered?.type !== 'quote') throw new TypeError('There is no quote.')
  await old.interrupt()

  writeFileSync(
    join(copy, '.changeset/next.md'),
    `---\n${released.map((name) => `"${name.replace(/@[^@]+$/, '')}": patch`).join('\n')}\n---\n\nThe next release.\n`,
  )
  expect(await release()).toHaveLength(released.length)
  await openTerminal('npm install @firmquote/server@latest', project, settings).succeeds()
  const upgraded = await start()
  expect(await versionOf()).not.toBe(before)
  // The borrower's stream resumes once the new server is ready, or has already ended.
  const rest = []
  for await (const event of events) rest.push(event)
  expect(rest.at(-1)).toMatchObject({ type: 'done', data: { rfqId, quoteCount: 1 } })
  const { status, quotes } = await client.getRfq(rfqId)
  expect([status, quotes.map(({ hash }) => hash)]).toEqual(['closed', [offered.data.hash]])
  expect((await client.getQuoteMarketQuote(published.hash)).quote).toEqual(published.quote)
  maker.client.disconnectWebSocket()
  await upgraded.interrupt()
  await chain.interrupt()
  await openTerminal('npm uninstall @firmquote/server', project, settings).succeeds()
  expect(existsSync(join(project, 'node_modules/.bin/firmquote-server'))).toBe(false)
  expect(await processesOf(folder)).toEqual([])
}, 300_000)

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '@firmquote/cluster/fetchPostgres'
import { freePort } from '@firmquote/cluster/freePort'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'

const version = '6.10.4'

/** An npm registry of one's own. Of other scopes it passes on what the machine's registry has. */
export type OwnRegistry = {
  url: string
  /** A file of settings for npm, with an account that may publish. */
  userConfig: string
  /** That account's token. */
  token: string
  stop(): Promise<void>
}

/** Starts Verdaccio on a free port, with an empty store in a folder of its own. */
export async function startRegistry(): Promise<OwnRegistry> {
  const program = await fetchVerdaccio()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-registry-'))
  const port = await freePort()
  const url = `http://localhost:${port}/`
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry'])
  writeFileSync(
    join(folder, 'config.yaml'),
    `storage: ./storage
auth: { htpasswd: { file: ./htpasswd, max_users: 1 } }
uplinks: { others: { url: ${stdout.trim()}, maxage: 60m, timeout: 60s } }
packages:
  '@firmquote/*': { access: $all, publish: $authenticated }
  '**': { access: $all, proxy: others }
max_body_size: 100mb
web: { enable: false }
log: { type: stdout, format: json, level: warn }
`,
  )
  const child = spawn(process.execPath, [program, '--config', join(folder, 'config.yaml'), '--listen', url], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil(async () => {
      if (child.exitCode !== null) throw new TypeError(`The registry has ended:\n${said}`)
      return fetch(new URL('-/ping', url)).then(
        ({ ok }) => ok,
        () => false,
      )
    }, 30_000)
    const user = { name: 'owner', password: 'an account of this test alone' }
    const answer = await fetch(new URL(`-/user/org.couchdb.user:${user.name}`, url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    })
    const { token } = (await answer.json()) as { token?: string }
    if (token === undefined) throw new TypeError(`The registry has made no account (${answer.status}).`)
    const userConfig = join(folder, 'npmrc')
    writeFileSync(userConfig, `registry=${url}\n//localhost:${port}/:_authToken=${token}\naudit=false\nfund=false\n`)
    return { url, userConfig, token, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Gives Verdaccio's program. It is fetched once, into the cache of programs that tests need: as a dependency of the repository it would
 * be a fifth of what a newcomer installs.
 */
async function fetchVerdaccio(): Promise<string> {
  const folder = join(cacheFolder(), `verdaccio-${version}`)
  const program = join('node_modules', 'verdaccio', 'bin', 'verdaccio')
  if (existsSync(join(folder, program))) return join(folder, program)
  mkdirSync(cacheFolder(), { recursive: true })
  const partial = mkdtempSync(join(cacheFolder(), 'verdaccio-'))
  writeFileSync(
    join(partial, 'package.json'),
    // Asked for by a tag, which not every registry has.
    JSON.stringify({ private: true, dependencies: { verdaccio: version }, overrides: { 'node-fetch': '2.7.0' } }),
  )
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: partial,
  })
  renameSync(partial, folder)
  return join(folder, program)
}

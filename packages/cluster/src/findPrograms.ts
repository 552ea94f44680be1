import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The folder of PostgreSQL's programs; null where there is none of version 15 or later in Debian's
 * folders, and none in PATH. `FIRMQUOTE_POSTGRES_BIN` names it, or goes without with `none`.
 */
export function findPostgres(env = process.env): string | null {
  const given = env['FIRMQUOTE_POSTGRES_BIN']
  const debian = '/usr/lib/postgresql'
  const versions = readFolder(debian)
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
  const folders = given ? [given] : [...versions.map((version) => join(debian, String(version), 'bin')), ...pathOf(env)]
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isProgram(join(folder, name)))) ?? null
}

/** The program `nats-server`; null where there is none. `FIRMQUOTE_NATS` names it. */
export function findNats(env = process.env): string | null {
  return findService('nats-server', env, env['FIRMQUOTE_NATS'])
}

/** The program `nginx`; null where there is none. `FIRMQUOTE_NGINX` names it. */
export function findNginx(env = process.env): string | null {
  return findService('nginx', env, env['FIRMQUOTE_NGINX'])
}

/** The program `caddy`; null where there is none. `FIRMQUOTE_CADDY` names it. */
export function findCaddy(env = process.env): string | null {
  return findService('caddy', env, env['FIRMQUOTE_CADDY'])
}

/** The program `openssl`; null where there is none. `FIRMQUOTE_OPENSSL` names it. */
export function findOpenssl(env = process.env): string | null {
  return findService('openssl', env, env['FIRMQUOTE_OPENSSL'])
}

/** The program `shellcheck`; null where there is none. `FIRMQUOTE_SHELLCHECK` names it. */
export function findShellcheck(env = process.env): string | null {
  return findService('shellcheck', env, env['FIRMQUOTE_SHELLCHECK'])
}

/**
 * The folder of Prometheus' programs; null where there is none. `FIRMQUOTE_PROMETHEUS_BIN` names it, or goes without with `none`.
 */
export function findPrometheus(env = process.env): string | null {
  const given = env['FIRMQUOTE_PROMETHEUS_BIN']
  const folders = given ? [given] : pathOf(env)
  return folders.find((folder) => ['prometheus', 'promtool'].every((name) => isProgram(join(folder, name)))) ?? null
}

/** A name that is given is the only one that counts: `none` goes without the program. */
function findService(name: string, env: NodeJS.ProcessEnv, given: string | undefined): string | null {
  // Debian installs services where the PATH of a user does not look.
  const folders = [...pathOf(env), '/usr/sbin', '/usr/local/sbin']
  return (given ? [given] : folders.map((folder) => join(folder, name))).find(isProgram) ?? null
}

function pathOf(env: NodeJS.ProcessEnv): string[] {
  return (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

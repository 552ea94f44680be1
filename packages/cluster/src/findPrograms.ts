import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The folder of PostgreSQL's programs; null where there is none of version 15 or later in Debian's
 * folders, and none in PATH. `FIRMQUOTE_POSTGRES_BIN` names it, or goes without with `none`.
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
 * The folder of Prometheus' programs; null where there is none. `FIRMQUOTE_PROMETHEUS_BIN` names it, or goes without with `none`.
 */
export function findPrometheus(env = process.env): string | null {
  return findFolder(['prometheus', 'promtool'], env['FIRMQUOTE_PROMETHEUS_BIN'], pathOf(env))
}

/** The program `nats-server`; null where there is none. `FIRMQUOTE_NATS` names it. */
export const findNats = finderOf('nats-server', 'FIRMQUOTE_NATS')
/** The program `nginx`; null where there is none. `FIRMQUOTE_NGINX` names it. */
export const findNginx = finderOf('nginx', 'FIRMQUOTE_NGINX')
/** The program `caddy`; null where there is none. `FIRMQUOTE_CADDY` names it. */
export const findCaddy = finderOf('caddy', 'FIRMQUOTE_CADDY')
/** The program `openssl`; null where there is none. `FIRMQUOTE_OPENSSL` names it. */
export const findOpenssl = finderOf('openssl', 'FIRMQUOTE_OPENSSL')
/** The program `shellcheck`; null where there is none. `FIRMQUOTE_SHELLCHECK` names it. */
export const findShellcheck = finderOf('shellcheck', 'FIRMQUOTE_SHELLCHECK')

/** A variable that is set names the only program that counts: `none` goes without it. */
function finderOf(name: string, variable: string) {
  return (env = process.env): string | null => {
    // Debian installs services where the PATH of a user does not look.
    const files = [...pathOf(env), '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, name))
    return (env[variable] ? [env[variable]] : files).find(isProgram) ?? null
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

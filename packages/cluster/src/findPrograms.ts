import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The folder of PostgreSQL's programs; null where there is none of version 15 or later. `FIRMQUOTE_POSTGRES_BIN` names it. */
export function findPostgres(env = process.env): string | null {
  const given = env['FIRMQUOTE_POSTGRES_BIN']
  const debian = '/usr/lib/postgresql'
  const versions = readFolder(debian)
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)
  const folders = [...(given ? [given] : []), ...versions.map((version) => join(debian, String(version), 'bin'))]
  return (
    [...folders, ...pathOf(env)].find((folder) =>
      ['initdb', 'postgres'].every((name) => isProgram(join(folder, name))),
    ) ?? null
  )
}

/** The program `nats-server`; null where there is none. `FIRMQUOTE_NATS` names it. */
export function findNats(env = process.env): string | null {
  const given = env['FIRMQUOTE_NATS']
  // Debian installs it where the PATH of a user does not look.
  const files = [...pathOf(env), '/usr/sbin', '/usr/local/sbin'].map((folder) => join(folder, 'nats-server'))
  return [...(given ? [given] : []), ...files].find(isProgram) ?? null
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

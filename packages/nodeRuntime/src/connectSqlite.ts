import type { Database, Options } from 'better-sqlite3'
import { ConfigurationError } from './configurationError.ts'

/**
 * Opens a database with the native SQLite module.
 *
 * @throws {ConfigurationError} if Node.js was started with an option that forbids native add-ons.
 */
export async function connectSqlite(file: string, options: Options): Promise<Database> {
  // Import the native module only now, because on older versions of Node.js it ends the process without a message.
  const { default: SqliteDatabase } = await import('better-sqlite3')
  try {
    return new SqliteDatabase(file, options)
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_DLOPEN_DISABLED') throw cause
    throw new ConfigurationError(describeForbiddenAddons(process.env['NODE_OPTIONS'], process.execArgv), { cause })
  }
}

/** Names the option that forbids native add-ons, where it was given, and what to change. */
export function describeForbiddenAddons(nodeOptions = '', execArgv: readonly string[]): string {
  const forbids = (option: string) => /^--(?:no-addons|(?:experimental-)?permission)$/.test(option)
  const fromEnvironment = nodeOptions.split(/\s+/).find(forbids)
  const option = fromEnvironment ?? execArgv.find(forbids) ?? '--no-addons'
  const place = fromEnvironment === undefined ? "Node's command line" : 'NODE_OPTIONS'
  const remedy = option === '--no-addons' ? 'remove it' : 'remove it, or add --allow-addons and --allow-worker'
  return `SQLite is a native add-on, which ${option} in ${place} forbids; ${remedy}.`
}

import { z } from 'zod'
import { ConfigurationError } from '../ports/errors.ts'
import { type SettingName, type SettingValue, secretSettings, settings } from './settings.ts'

/** The server's parsed and validated settings. */
export type Configuration = { readonly [Name in SettingName]: SettingValue<Name> }

type Shapes = { [Name in SettingName]: (typeof settings)[Name]['shape'] }

const schema = z
  .object(Object.fromEntries(Object.entries(settings).map(([name, { shape }]) => [name, shape])) as Shapes)
  .refine(({ DEVNET_RELAY, DEMO_ACCOUNT }) => DEVNET_RELAY !== false || typeof DEMO_ACCOUNT !== 'string', {
    path: ['DEMO_ACCOUNT'],
    message: 'unset, or DEVNET_RELAY must be true',
    when: () => true,
  })
  .refine(({ DEVNET_RELAY, DEMO_SMART_ACCOUNT }) => DEVNET_RELAY !== false || typeof DEMO_SMART_ACCOUNT !== 'string', {
    path: ['DEMO_SMART_ACCOUNT'],
    message: 'unset, or DEVNET_RELAY must be true',
    when: () => true,
  })
  // Instances use NATS only to signal that the shared database has changed.
  .refine(({ DATABASE_URL, NATS_URL }) => DATABASE_URL !== null || typeof NATS_URL !== 'string', {
    path: ['NATS_URL'],
    message: 'unset, or DATABASE_URL must be set',
    when: () => true,
  })

/**
 * Loads the configuration from environment variables. Treats an empty variable as unset.
 *
 * @throws {ConfigurationError} with one line per invalid setting: its name, its value and what is expected.
 */
export function loadConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(Object.keys(settings).map((name) => [name, environment[name]?.trim() || undefined]))
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const mistakes = result.error.issues.map(({ path, message }) => {
    const name = String(path[0])
    return `  ${name} ${shown(name, given[name])}; it must be ${message}.`
  })
  throw new ConfigurationError(
    `The configuration has ${mistakes.length === 1 ? 'an error' : `${mistakes.length} errors`}:\n${mistakes.join('\n')}`,
  )
}

function shown(name: string, value: string | undefined): string {
  if (value === undefined) return 'is missing'
  return secretSettings.has(name) ? 'is invalid (its value is not shown)' : `is ${JSON.stringify(value)}`
}

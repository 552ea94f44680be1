import { z } from 'zod'
import { ConfigurationError } from '../ports/errors.ts'
import { type SettingName, type SettingValue, secretSettings, settings } from './settings.ts'

/** The server's settings, parsed and checked. */
export type Configuration = { readonly [Name in SettingName]: SettingValue<Name> }

type Shapes = { [Name in SettingName]: (typeof settings)[Name]['shape'] }

const schema = z
  .object(Object.fromEntries(Object.entries(settings).map(([name, { shape }]) => [name, shape])) as Shapes)
  .refine(({ DEVNET_RELAY, DEMO_ACCOUNT }) => DEVNET_RELAY !== false || typeof DEMO_ACCOUNT !== 'string', {
    path: ['DEMO_ACCOUNT'],
    message: 'left out, or DEVNET_RELAY be true',
    when: () => true,
  })
  .refine(({ DEVNET_RELAY, DEMO_SMART_ACCOUNT }) => DEVNET_RELAY !== false || typeof DEMO_SMART_ACCOUNT !== 'string', {
    path: ['DEMO_SMART_ACCOUNT'],
    message: 'left out, or DEVNET_RELAY be true',
    when: () => true,
  })
  // What NATS tells the others is where to look in the database that they share.
  .refine(({ DATABASE_URL, NATS_URL }) => DATABASE_URL !== null || typeof NATS_URL !== 'string', {
    path: ['NATS_URL'],
    message: 'left out, or DATABASE_URL be set',
    when: () => true,
  })

/**
 * Loads the server's configuration from environment variables; an empty one counts as not given.
 *
 * @throws {ConfigurationError} with a line for every mistake: the setting, what was given, what it must be.
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
    `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.join('\n')}`,
  )
}

function shown(name: string, value: string | undefined): string {
  if (value === undefined) return 'is missing'
  return secretSettings.has(name) ? 'is wrong (its value is not shown)' : `is ${JSON.stringify(value)}`
}

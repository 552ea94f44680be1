import { ConfigurationError } from '../../ports/errors.ts'

/** One server of an address: its URL for `pg`, and a name that is safe to log. */
export type PostgresTarget = { url: string; name: string }

const form = 'postgres://user:password@host:5432/name'
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(\/[^?#]+(?:\?[^#]*)?)$/

/**
 * Parses an address. As in libpq, multiple servers are separated by commas and share the user, password and database:
 * `postgres://user:password@a:5432,b:5432/name`.
 *
 * @throws {ConfigurationError} if the address is invalid. The message omits the address, which contains a password.
 */
export function parsePostgresAddress(url: string): PostgresTarget[] {
  const [, front = '', hosts = '', back = ''] = parts.exec(url) ?? []
  const targets = hosts.split(',').map((name) => ({ url: `${front}${name}${back}`, name }))
  if (!targets.every((target) => URL.canParse(target.url) && isHost(target.name)))
    throw new ConfigurationError(`DATABASE_URL must be the URL of a PostgreSQL database, like ${form}.`)
  return targets
}

function isHost(name: string): boolean {
  return URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname !== ''
}

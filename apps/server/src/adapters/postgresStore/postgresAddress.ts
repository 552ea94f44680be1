import { ConfigurationError } from '../../ports/errors.ts'

/** One server of an address: what `pg` connects to, and how a log may name it. */
export type PostgresTarget = { url: string; name: string }

const form = 'postgres://user:password@host:5432/name'
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(\/[^?#]+(?:\?[^#]*)?)$/

/**
 * The servers of an address: several are separated by commas, as libpq has them, and each has the same user, password and
 * database: `postgres://user:password@a:5432,b:5432/name`.
 *
 * @throws {ConfigurationError} when it is none. No error holds anything of it: it has a password.
 */
export function parsePostgresAddress(url: string): PostgresTarget[] {
  const [, front = '', hosts = '', back = ''] = parts.exec(url) ?? []
  const targets = hosts.split(',').map((name) => ({ url: `${front}${name}${back}`, name }))
  if (!targets.every((target) => URL.canParse(target.url) && isHost(target.name)))
    throw new ConfigurationError(`DATABASE_URL is no address of a PostgreSQL database; it looks like ${form}.`)
  return targets
}

function isHost(name: string): boolean {
  return URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname !== ''
}

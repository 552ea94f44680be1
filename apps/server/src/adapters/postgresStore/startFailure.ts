import { ConfigurationError } from '../../ports/errors.ts'

/** Explanations of SQLSTATEs. Each explanation completes a sentence that starts with the database's name. */
const refusals: Record<string, string> = {
  '28P01': 'rejects the user or password of DATABASE_URL',
  '28000': 'does not allow this user to connect from here; check its pg_hba.conf and DATABASE_URL',
  '3D000': 'does not exist; create it, or name another one in DATABASE_URL',
  '53300': 'has no free connections; raise its max_connections, or run fewer instances',
  '57P03': 'is starting, stopping or recovering; try again when it accepts connections',
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'no server listens there',
  ENOTFOUND: 'its host name cannot be resolved',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  EHOSTUNREACH: 'its host is unreachable',
  ENETUNREACH: 'its network is unreachable',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
}

/** A database's location without the user and password: `db-1:5432/firmquote`. */
export function locationOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/(?:[^@/]*@)?([^?#]*).*$/s, '$1')
}

/**
 * Describes why the database cannot be used at startup, in one sentence that says what to change and omits the
 * password.
 */
export function describeFailure(error: unknown, url: string): ConfigurationError {
  if (error instanceof ConfigurationError) return error
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string }
  const location = `The database ${locationOf(url)}`
  const refusal = refusals[code]
  if (refusal) return new ConfigurationError(`${location} ${refusal}.`, { cause: error })
  // If all addresses of a host fail, Node's error message is empty.
  const reason = unreachable[code] ?? (message === '' ? 'none of its addresses answers' : message)
  return new ConfigurationError(`${location} cannot be used: ${reason}; check DATABASE_URL.`, { cause: error })
}

import { ConfigurationError } from '../../ports/errors.ts'

/** What a refusal of the server means, by its SQLSTATE: the rest of a sentence that begins with the database's place. */
const refusals: Record<string, string> = {
  '28P01': 'does not take the password of DATABASE_URL',
  '28000': 'does not let this user in from here; look at its pg_hba.conf and at DATABASE_URL',
  '3D000': 'does not exist; create it, or name another one in DATABASE_URL',
  '53300': 'has no connection left; raise its max_connections, or run fewer instances',
  '57P03': 'is starting up, stopping or recovering; try again when it takes connections',
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known at the moment',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it has ended the connection',
}

/** Where the database of an address is, without its user and password: `db-1:5432/firmquote`. */
export function placeOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/(?:[^@/]*@)?([^?#]*).*$/s, '$1')
}

/** What a failure to use the database at a start is told as: one sentence that says what to change, without the password. */
export function describeFailure(error: unknown, url: string): ConfigurationError {
  if (error instanceof ConfigurationError) return error
  const { code = '', message = String(error) } = (error ?? {}) as { code?: string; message?: string }
  const place = `The database ${placeOf(url)}`
  const refusal = refusals[code]
  if (refusal) return new ConfigurationError(`${place} ${refusal}.`, { cause: error })
  // Several addresses of one host fail together, and the message of that is empty.
  const reason = unreachable[code] ?? (message === '' ? 'none of its addresses answers' : message)
  return new ConfigurationError(`${place} cannot be used: ${reason}; look at DATABASE_URL.`, { cause: error })
}

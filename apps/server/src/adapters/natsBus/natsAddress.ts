import { ConfigurationError } from '../../ports/errors.ts'

/** Options for the NATS client's `connect`. */
export type NatsAddress = {
  servers: string[]
  /** Requires TLS. Without it, the client uses TLS only if the server offers it. */
  tls?: Record<string, never>
} & ({ token: string } | { user: string; pass: string } | Record<never, never>)

/**
 * Parses `nats://token@host:port`, `nats://user:password@host:port` or `tls://…`. A cluster's servers are separated by
 * commas and share credentials.
 *
 * @throws {ConfigurationError} if the address is invalid. The message omits the address, which may contain a password.
 */
export function parseNatsAddress(text: string): NatsAddress {
  const urls = text.split(',').map((part) => {
    const url = URL.canParse(part.trim()) ? new URL(part.trim()) : null
    if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '')
      throw new ConfigurationError(
        'NATS_URL must be nats://host:port or tls://host:port; separate several servers with commas.',
      )
    return url
  })
  const [first] = urls
  const { username = '', password = '', protocol } = first ?? {}
  const differs = urls.some(
    (url) => url.username !== username || url.password !== password || url.protocol !== protocol,
  )
  if (differs) throw new ConfigurationError('All servers in NATS_URL must have the same scheme and credentials.')
  const [user, pass] = [unescaped(username), unescaped(password)]
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(protocol === 'tls:' && { tls: {} }),
    ...(pass !== '' ? { user, pass } : user !== '' && { token: user }),
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigurationError('The credentials in NATS_URL contain a % that is not followed by two hex digits.')
  }
}

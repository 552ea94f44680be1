import { ConfigurationError } from '../../ports/errors.ts'

/** Where NATS is and how it is asked: what `connect` of the client takes. */
export type NatsAddress = {
  servers: string[]
  /** TLS is asked for; without it, it is used where the server offers it. */
  tls?: Record<string, never>
} & ({ token: string } | { user: string; pass: string } | Record<never, never>)

/**
 * Reads `nats://token@host:port`, `nats://user:password@host:port` or `tls://…`; several servers of one cluster are separated by
 * commas, with the same credentials.
 *
 * @throws {ConfigurationError} that does not repeat the address, since it holds a password.
 */
export function parseNatsAddress(text: string): NatsAddress {
  const urls = text.split(',').map((part) => {
    const url = URL.canParse(part.trim()) ? new URL(part.trim()) : null
    if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '')
      throw new ConfigurationError(
        'NATS_URL must be nats://host:port or tls://host:port; several are separated by commas.',
      )
    return url
  })
  const [first] = urls
  const { username = '', password = '', protocol } = first ?? {}
  const differs = urls.some(
    (url) => url.username !== username || url.password !== password || url.protocol !== protocol,
  )
  if (differs) throw new ConfigurationError('All servers of NATS_URL must have the same scheme and credentials.')
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(protocol === 'tls:' && { tls: {} }),
    ...(pass !== '' ? { user, pass } : user !== '' && { token: user }),
  }
}

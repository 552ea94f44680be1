/** Limits for the entry points, in addition to the service's own. Times are in milliseconds. */
export type EntryLimits = {
  /**
   * TCP connections in total, including sockets. When all are in use, the server closes one of the largest network's
   * connections to make room.
   */
  connections: number
  /** TCP connections per network: an IPv4 address, or the first 64 bits of an IPv6 address. */
  connectionsPerNetwork: number
  /**
   * Maximum number of unanswered requests per connection; requests are answered one at a time. Any further request
   * closes the connection.
   */
  requestsInFlight: number
  /** Cost of a network's reads per minute, enforced with a token bucket. */
  readsPerMinute: number
  /** Sockets of authenticated makers. */
  sockets: number
  /** Unauthenticated sockets in total, and per network. */
  pendingSockets: number
  pendingSocketsPerNetwork: number
  /** Maximum number of authenticated sockets waiting for a seat. */
  waitingSockets: number
  /** Maximum frame size, in bytes. */
  messageBytes: number
  /** Maximum size of an answer to a challenge, in bytes. */
  authBytes: number
  /** Messages per socket in `messagePeriodMs`, enforced with a token bucket. */
  messages: number
  messagePeriodMs: number
  /** Concurrent quote judgements per socket. */
  quotesInFlight: number
  /** Malformed messages allowed per socket. The last one closes it. */
  unreadableMessages: number
  /** Authentication timeout. */
  authTimeoutMs: number
  /** Maximum duration of a session. */
  sessionMs: number
  /**
   * Interval between checks of a contract maker's session. The maker's quotes are also checked on arrival.
   */
  contractCheckMs: number
  /** Interval between pings. A socket that does not respond by the next ping is closed. */
  pingIntervalMs: number
  /** Interval between comments on an event stream, which keep proxies from closing it. */
  streamPulseMs: number
  /** Number of unread bytes above which a connection is closed. */
  unreadBytes: number
  /** Milliseconds after which a client that has unread data but reads none is disconnected. */
  stalledMs: number
  /** Milliseconds that a shutdown waits for open auctions to finish. */
  drainMs: number
  /** Milliseconds that a shutdown then waits for connections to close. */
  closeGraceMs: number
}

export const defaultEntryLimits: EntryLimits = {
  connections: 10_000,
  connectionsPerNetwork: 1_000,
  requestsInFlight: 16,
  readsPerMinute: 6_000,
  sockets: 1_000,
  pendingSockets: 64,
  pendingSocketsPerNetwork: 8,
  waitingSockets: 256,
  messageBytes: 16_384,
  // Large enough for a signature of 1,024 bytes and its frame.
  authBytes: 3_072,
  messages: 200,
  messagePeriodMs: 10_000,
  quotesInFlight: 64,
  unreadableMessages: 3,
  authTimeoutMs: 10_000,
  sessionMs: 24 * 60 * 60 * 1_000,
  contractCheckMs: 60_000,
  pingIntervalMs: 30_000,
  streamPulseMs: 5_000,
  unreadBytes: 1_048_576,
  stalledMs: 30_000,
  drainMs: 17_000,
  closeGraceMs: 2_000,
}

/** The limits of the doors, beside those of the service's configuration. Times are milliseconds. */
export type EntryLimits = {
  /** TCP connections in all, of both doors. */
  connections: number
  /** TCP connections from one network: an IPv4 address, or the first 64 bits of an IPv6 address. */
  connectionsPerNetwork: number
  /** Requests of one connection that may be without an answer, which are answered one after the other; one more cuts it. */
  requestsInFlight: number
  /** Sockets of authenticated makers. */
  sockets: number
  /** Sockets that are not authenticated, and of these those of one network. */
  pendingSockets: number
  pendingSocketsPerNetwork: number
  /** Authenticated sockets that may wait for a decision about the seats. */
  waitingSockets: number
  /** Largest frame of a socket, in bytes. */
  messageBytes: number
  /** Largest answer to a challenge, in bytes. */
  authBytes: number
  /** Messages of one socket in `messagePeriodMs`, as a token bucket. */
  messages: number
  messagePeriodMs: number
  /** Quotes of one socket that may be judged at the same time. */
  quotesInFlight: number
  /** Malformed messages of one socket; the last of them closes it. */
  unreadableMessages: number
  /** How long a socket may stay unauthenticated. */
  authTimeoutMs: number
  /** How long a session lasts. */
  sessionMs: number
  /** How often a socket is pinged; one that has not answered by the next ping is closed. */
  pingIntervalMs: number
  /** How often an event stream carries a comment, so that proxies keep the connection. */
  streamPulseMs: number
  /** Bytes that a client may leave unread before its connection is closed. */
  unreadBytes: number
  /** How long a client may read nothing of what waits for it. */
  stalledMs: number
  /** How long open auctions may run on after the service was told to stop. */
  drainMs: number
  /** How long connections may stay open after the service has closed. */
  closeGraceMs: number
}

export const defaultEntryLimits: EntryLimits = {
  connections: 10_000,
  connectionsPerNetwork: 128,
  requestsInFlight: 16,
  sockets: 1_000,
  pendingSockets: 64,
  pendingSocketsPerNetwork: 8,
  waitingSockets: 256,
  messageBytes: 16_384,
  // A signature of 1,024 bytes and its frame.
  authBytes: 3_072,
  messages: 200,
  messagePeriodMs: 10_000,
  quotesInFlight: 64,
  unreadableMessages: 3,
  authTimeoutMs: 10_000,
  sessionMs: 24 * 60 * 60 * 1_000,
  pingIntervalMs: 30_000,
  streamPulseMs: 5_000,
  unreadBytes: 1_048_576,
  stalledMs: 30_000,
  drainMs: 17_000,
  closeGraceMs: 2_000,
}

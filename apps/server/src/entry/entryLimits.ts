/** Limits of the entry points, in addition to those of the service. Times are in milliseconds. */
export type EntryLimits = {
  /** TCP connections in total, including sockets. */
  connections: number
  /** TCP connections of one network: an IPv4 address, or the first 64 bits of an IPv6 address. */
  connectionsPerNetwork: number
  /** Unanswered requests per connection, answered one by one. One more closes the connection. */
  requestsInFlight: number
  /** Sockets of authenticated makers. */
  sockets: number
  /** Unauthenticated sockets in total, and per network. */
  pendingSockets: number
  pendingSocketsPerNetwork: number
  /** Authenticated sockets that may wait for a seat. */
  waitingSockets: number
  /** Maximum size of a frame, in bytes. */
  messageBytes: number
  /** Maximum size of an answer to a challenge, in bytes. */
  authBytes: number
  /** Messages per socket in `messagePeriodMs`, as a token bucket. */
  messages: number
  messagePeriodMs: number
  /** Concurrent quote judgements per socket. */
  quotesInFlight: number
  /** Malformed messages per socket; the last one closes it. */
  unreadableMessages: number
  /** Timeout of authentication. */
  authTimeoutMs: number
  /** Maximum duration of a session. */
  sessionMs: number
  /** Interval between pings. A socket that has not answered by the next ping is closed. */
  pingIntervalMs: number
  /** Interval between comments on an event stream, which keep proxies from closing it. */
  streamPulseMs: number
  /** Unread bytes above which a connection is closed. */
  unreadBytes: number
  /** Time without any read by the client after which a connection with unread data is closed. */
  stalledMs: number
  /** Time for open auctions to finish during a shutdown. */
  drainMs: number
  /** Time for connections to close after that. */
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
  // A signature of 1,024 bytes, with its frame.
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

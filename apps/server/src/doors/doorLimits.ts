/** How much the doors take on, besides what the service's own configuration says. Times are milliseconds. */
export type DoorLimits = {
  /** Sockets in all, authenticated or not. */
  sockets: number
  /** Largest frame of a socket, in bytes. */
  messageBytes: number
  /** Largest answer to a challenge, in bytes. */
  authBytes: number
  /** Messages of one socket: so many at once, and as many again in every `messagePeriodMs`. */
  messages: number
  messagePeriodMs: number
  /** Quotes of one socket that may be judged at the same time. */
  quotesInFlight: number
  /** Messages of one socket that could not be read; the last of them closes it. */
  unreadableMessages: number
  /** How long a socket may stay unauthenticated. */
  authTimeoutMs: number
  /** How long a session lasts. */
  sessionMs: number
  /** How often a socket is pinged; one that has not answered by the next ping is gone. */
  pingIntervalMs: number
  /** How often an event stream carries a comment, so that proxies see life. */
  streamPulseMs: number
  /** What a reader may leave unread, in bytes, before it is cut off. */
  unreadBytes: number
  /** How long a reader may take nothing of what waits for it. */
  stalledMs: number
  /** How long whoever is still connected at the end may take to leave. */
  closeGraceMs: number
}

export const defaultDoorLimits: DoorLimits = {
  sockets: 1_000,
  messageBytes: 16_384,
  authBytes: 2_048,
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
  closeGraceMs: 2_000,
}

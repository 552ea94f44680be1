// Why: docs/decisions/0043-reconnect-within-an-auction.md
import { closeCodes } from '@firmquote/core/protocol'
import { backoffDelay } from '../backoff.ts'
import { AuthenticationError } from '../errors.ts'
import type { ConnectionEnd } from './backerConnection.ts'

const penaltyMs = 60_000
/** An auction lasts 15 s, so a client with this cap reconnects in time to quote. */
const earlyCapMs = 5_000
/** The first 20 attempts take 45 s on average. In an outage that outlasts them, fast reconnects do not help. */
const earlyTries = 20
const lateCapMs = 30_000

/** Whether and when to reconnect. */
export type ConnectionEndVerdict = {
  /** Set if authentication failed on either side. */
  authError: AuthenticationError | null
  /** Whether the failure is final because another connection would end the same way. */
  isFinal: boolean
  /** Milliseconds to wait before the next connection. */
  delayMs: number
}

/**
 * Decides whether and when to reconnect after a connection has ended. Close codes 4400, 4401 and 4403 are final, and so
 * is this client's refusal to sign. After close code 4423, the client waits for the end of the ban, and a ban without an
 * end is final. After close code 4429, the wait is at least one minute. After other codes, the client backs off with
 * full jitter, capped at 5 s for the first 20 attempts and at 30 s after that. Pure.
 *
 * @param given.attempt Number of connections that have ended since the last healthy one.
 * @param given.random A number from 0 (inclusive) to 1 (exclusive).
 * @param given.now Unix milliseconds.
 */
export function judgeConnectionEnd(
  { code, reason, authError }: ConnectionEnd,
  { attempt, random, now }: { attempt: number; random: number; now: number },
): ConnectionEndVerdict {
  const isBanned = code === closeCodes.banned
  const bannedUntil = isBanned ? parseBanEnd(reason) : null
  const refused = code === closeCodes.authFailed || code === closeCodes.notAllowed || isBanned
  const isFinalCode = (refused && bannedUntil === null) || code === closeCodes.malformed
  const penalty = penaltyMs + Math.floor(random * penaltyMs)
  const delay = () => {
    // The clocks may differ, so the ban may last longer than it seems.
    if (bannedUntil !== null) return Math.max(0, bannedUntil - now) + penalty
    if (code === closeCodes.tooMany) return penalty
    return backoffDelay(attempt, random, { baseMs: 1_000, capMs: attempt < earlyTries ? earlyCapMs : lateCapMs })
  }
  return {
    authError: authError ?? (refused ? unexplained(code, reason, isBanned) : null),
    isFinal: isFinalCode || (authError !== null && code === 1000),
    delayMs: delay(),
  }
}

/** When a ban ends, in Unix milliseconds. Null if it has no end. */
function parseBanEnd(reason: string): number | null {
  const until = Date.parse(/^banned until (\S+)$/.exec(reason)?.[1] ?? '')
  return Number.isNaN(until) ? null : until
}

function unexplained(code: number, reason: string, isBanned: boolean): AuthenticationError {
  if (isBanned) return new AuthenticationError('banned', `The service's operator has banned this maker (${reason}).`)
  return new AuthenticationError(reason || 'not_allowed', `The service closed the connection with code ${code}.`)
}

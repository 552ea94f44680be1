// Why: docs/decisions/0043-reconnect-within-an-auction.md
import { closeCodes } from '@firmquote/core'
import { backoffDelay } from '../backoff.ts'
import { AuthenticationError } from '../errors.ts'
import type { ConnectionEnd } from './backerConnection.ts'

const penaltyMs = 60_000
/** An auction lasts 15 s: who is cut off comes back in time to answer it. */
const earlyCapMs = 5_000
/** So many tries take 45 s on average. A service that is away for longer is not hurried. */
const earlyTries = 20
const lateCapMs = 30_000

/** Whether and when to connect again. */
export type ConnectionEndVerdict = {
  /** Set when authentication failed, on either side. */
  authError: AuthenticationError | null
  /** Another connection would end the same way. */
  isFinal: boolean
  /** Milliseconds to wait before the next connection. */
  delayMs: number
}

/**
 * Judges how a connection has ended: final on 4400, 4401 and 4403 and where this client refused to sign; a wait of at least
 * a minute on 4429; otherwise full-jitter backoff of at most 5 s for the first 20 tries, and of at most 30 s from then on. Pure.
 *
 * @param attempt how many connections have ended since the last healthy one.
 * @param random a number from 0 up to 1.
 */
export function judgeConnectionEnd(
  { code, reason, authError }: ConnectionEnd,
  attempt: number,
  random: number,
): ConnectionEndVerdict {
  const refused = code === closeCodes.authFailed || code === closeCodes.notAllowed
  const isFinalCode = refused || code === closeCodes.malformed
  return {
    authError: authError ?? (refused ? unexplained(code, reason) : null),
    isFinal: isFinalCode || (authError !== null && code === 1000),
    delayMs:
      code === closeCodes.tooMany
        ? penaltyMs + Math.floor(random * penaltyMs)
        : backoffDelay(attempt, random, { baseMs: 1_000, capMs: attempt < earlyTries ? earlyCapMs : lateCapMs }),
  }
}

function unexplained(code: number, reason: string): AuthenticationError {
  return new AuthenticationError(reason || 'not_allowed', `The service closed the connection with code ${code}.`)
}

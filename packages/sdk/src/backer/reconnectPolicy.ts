// Why: docs/decisions/0043-reconnect-within-an-auction.md
import { closeCodes } from '@firmquote/core'
import { backoffDelay } from '../backoff.ts'
import { AuthenticationError } from '../errors.ts'
import type { ConnectionEnd } from './backerConnection.ts'

const penaltyMs = 60_000
/** An auction lasts 15 s, so this cap lets a client reconnect in time to answer it. */
const earlyCapMs = 5_000
/** These attempts take 45 s on average. After that, the service is down for longer and needs no fast reconnects. */
const earlyTries = 20
const lateCapMs = 30_000

/** Whether and when to reconnect. */
export type ConnectionEndVerdict = {
  /** Set if authentication failed on either side. */
  authError: AuthenticationError | null
  /** Whether another connection would end the same way. */
  isFinal: boolean
  /** Milliseconds to wait before the next connection. */
  delayMs: number
}

/**
 * Decides whether to reconnect after a connection ended. The end is final on 4400, 4401 and 4403, and if this client
 * refused to sign. After 4429 the wait is at least one minute. Otherwise it is full-jitter backoff of at most 5 s for
 * the first 20 attempts, and of at most 30 s after that. Pure.
 *
 * @param attempt Connections that ended since the last healthy one.
 * @param random A number from 0 up to 1.
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

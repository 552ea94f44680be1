import { closeCodes } from '@firmquote/core'
import { backoffDelay } from '../backoff.ts'
import { AuthenticationError } from '../errors.ts'
import type { LineEnd } from './backerLine.ts'

const finalCodes: readonly number[] = [closeCodes.malformed, closeCodes.authFailed, closeCodes.notAllowed]
const penaltyMs = 60_000

/** What the end of a line means for the next one. */
export type LineVerdict = {
  /** Set when the two sides do not trust each other. */
  distrust: AuthenticationError | null
  /** Another line would end the same way. */
  isFinal: boolean
  /** How long to wait before another line, in milliseconds. */
  delayMs: number
}

/**
 * Judges how a line has ended: for good on 4400, 4401 and 4403 and where this client refused to sign; at least a minute's
 * wait on 4429; otherwise full-jitter backoff of at most 30 s. Pure.
 *
 * @param attempt how many lines have ended since one proved itself.
 * @param random a number from 0 up to 1.
 */
export function judgeLineEnd({ code, reason, distrust }: LineEnd, attempt: number, random: number): LineVerdict {
  const refused = code === closeCodes.authFailed || code === closeCodes.notAllowed
  return {
    distrust: distrust ?? (refused ? unexplained(code, reason) : null),
    isFinal: finalCodes.includes(code) || (distrust !== null && code === 1000),
    delayMs:
      code === closeCodes.tooMany
        ? penaltyMs + Math.floor(random * penaltyMs)
        : backoffDelay(attempt, random, { baseMs: 1_000, capMs: 30_000 }),
  }
}

function unexplained(code: number, reason: string): AuthenticationError {
  return new AuthenticationError(reason || 'not_allowed', `The service closed the line with ${code}.`)
}

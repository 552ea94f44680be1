import type { Rejection } from '@firmquote/core'
import type { Address } from 'viem'
import type { Ban, Controls } from './controls.ts'

/** Whether a maker may connect: its ban if it is banned, or `not_allowed`. Null if it may. */
export type AdmissionRefusal = { code: 'banned'; ban: Ban } | { code: 'not_allowed' }

/**
 * Judges whether a maker may connect. A ban precedes everything else. Then a maker needs to be on the allow list, if
 * there is one, or to be admitted by the operator.
 *
 * @param now Unix milliseconds.
 * @param allowList lower-case addresses; every maker may connect without it.
 */
export function judgeAdmission(
  maker: Address,
  { controls, now, allowList }: { controls: Controls; now: number; allowList?: ReadonlySet<string> | undefined },
): AdmissionRefusal | null {
  const ban = controls.banOf(maker, now)
  if (ban) return { code: 'banned', ban }
  if (!allowList || allowList.has(maker.toLowerCase()) || controls.allows(maker)) return null
  return { code: 'not_allowed' }
}

/** The rejection of a banned maker's request. */
export function banRejection({ maker, until }: Ban): Extract<Rejection, { code: 'MAKER_BANNED' }> {
  return { code: 'MAKER_BANNED', maker, until: until === null ? null : Math.ceil(until / 1_000) }
}

/** The reason in the close frame of a banned maker's socket. Clients read the time from it. */
export function banCloseReason(ban: Ban): string {
  return `banned${untilOf(ban)}`
}

/** The sentence for a banned maker. */
export function describeBan(ban: Ban): string {
  return `The operator of this server has banned this maker${untilOf(ban)}. Contact the operator.`
}

function untilOf({ until }: Ban): string {
  return until === null ? '' : ` until ${new Date(until).toISOString()}`
}

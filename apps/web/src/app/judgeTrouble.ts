import type { ServiceHealth } from '@firmquote/sdk'
import type { Outage } from './outageWatch.ts'

/** What is wrong with the whole of the page, in the order of what explains the rest. */
export type Trouble =
  /** This device has no network. */
  | { kind: 'offline'; answeredAt: number | null }
  /** It has, but the service does not answer. */
  | { kind: 'unanswered'; answeredAt: number | null }
  /** The service has another page by now. */
  | { kind: 'oldPage' }
  /** It answers, and says that it cannot do its work: without its database, or without the chain. */
  | { kind: 'database' | 'chain' }
  /** Its clock is behind the chain's: it takes offers for valid that have run out. */
  | { kind: 'clock' }
  /** It has fallen behind the chain; `seconds` null where it does not know by how much. */
  | { kind: 'behind'; seconds: number | null }
  /** No maker is there to answer an auction. */
  | { kind: 'noMakers' }

/** What is known of the device, the page and the service. */
export type Signs = {
  outage: Outage | null
  /** What the browser says; it may say `true` of a network that leads nowhere. */
  online: boolean
  newerPage: boolean
  health: Pick<ServiceHealth, 'status' | 'database' | 'sync' | 'backers'> | undefined
}

/** From more than this on the service says of its clock that it is behind the chain, seconds. */
const mostClockBehind = 30

/** The one trouble that the banner tells of; null when all is well. Pure. */
export function judgeTrouble({ outage, online, newerPage, health }: Signs): Trouble | null {
  // A page of this machine answers without a network: only both together say that it is missing.
  if (outage) return { kind: online ? 'unanswered' : 'offline', answeredAt: outage.answeredAt }
  if (newerPage) return { kind: 'oldPage' }
  if (!health) return null
  const isWell = health.status === 'ok'
  if (!isWell && health.database !== 'ok') return { kind: 'database' }
  if (!isWell && health.sync.head === null) return { kind: 'chain' }
  // For the service itself that is no trouble.
  if (health.backers.connected === 0) return { kind: 'noMakers' }
  if (isWell) return null
  const { lagSeconds } = health.sync
  if (lagSeconds !== null && lagSeconds < -mostClockBehind) return { kind: 'clock' }
  return { kind: 'behind', seconds: lagSeconds !== null && lagSeconds > 0 ? lagSeconds : null }
}

/** An age for the eye, seconds: in steps of ten below a minute, then of a minute, so that it does not tick. Pure. */
export function calmAge(milliseconds: number): number {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return seconds - (seconds % (seconds < 60 ? 10 : 60))
}

/** The file that a page begins with: it has another name in each version. Null where there is none. Pure. */
export function entryOf(html: string): string | null {
  for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) {
    if (/\btype="module"/.test(tag)) return /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? null
  }
  return null
}

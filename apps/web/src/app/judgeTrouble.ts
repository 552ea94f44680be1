import type { ServiceHealth } from '@firmquote/sdk'
import type { Outage } from './outageWatch.ts'

/** Problems that affect the whole app. Earlier ones explain later ones. */
export type Trouble =
  /** This device has no network. */
  | { kind: 'offline'; answeredAt: number | null }
  /** The device is online, but the service does not answer. */
  | { kind: 'unanswered'; answeredAt: number | null }
  /** The service serves a newer version of the web app. */
  | { kind: 'oldPage' }
  /** The service reports that it works without its database, or without the chain. */
  | { kind: 'database' | 'chain' }
  /** The service's clock is behind the chain's, so it treats expired offers as valid. */
  | { kind: 'clock' }
  /** The service is behind the chain by `seconds`; null if it does not know the delay. */
  | { kind: 'behind'; seconds: number | null }
  /** No maker is connected to answer an auction. */
  | { kind: 'noMakers' }

/** The known state of the device, the web app and the service. */
export type Signs = {
  outage: Outage | null
  /** The browser's own report. It may be `true` on a network without a route to the service. */
  online: boolean
  newerPage: boolean
  health: Pick<ServiceHealth, 'status' | 'database' | 'sync' | 'backers'> | undefined
}

/** Clock difference from which the service reports that its clock is behind the chain, in seconds. */
const mostClockBehind = 30

/** The trouble that the banner shows, or null if there is none. Pure. */
export function judgeTrouble({ outage, online, newerPage, health }: Signs): Trouble | null {
  // A local service answers without a network, so only an outage together with `online: false` means offline.
  if (outage) return { kind: online ? 'unanswered' : 'offline', answeredAt: outage.answeredAt }
  if (newerPage) return { kind: 'oldPage' }
  if (!health) return null
  const isWell = health.status === 'ok'
  if (!isWell && health.database !== 'ok') return { kind: 'database' }
  if (!isWell && health.sync.head === null) return { kind: 'chain' }
  // The service itself does not count this as a problem.
  if (health.backers.connected === 0) return { kind: 'noMakers' }
  if (isWell) return null
  const { lagSeconds } = health.sync
  if (lagSeconds !== null && lagSeconds < -mostClockBehind) return { kind: 'clock' }
  return { kind: 'behind', seconds: lagSeconds !== null && lagSeconds > 0 ? lagSeconds : null }
}

/** An age to display, in seconds: in steps of ten below a minute, then of a minute, so that it does not tick. Pure. */
export function calmAge(milliseconds: number): number {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return seconds - (seconds % (seconds < 60 ? 10 : 60))
}

/** The app's entry file, whose name differs in each version; null without one. Pure. */
export function entryOf(html: string): string | null {
  for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) {
    if (/\btype="module"/.test(tag)) return /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? null
  }
  return null
}

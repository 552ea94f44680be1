import type { ServiceHealth } from '@firmquote/sdk'
import type { Outage } from './outageWatch.ts'

/**
 * Problems that affect the whole app, by priority. A problem may cause those listed after it.
 */
export type Trouble =
  /** The device is offline. */
  | { kind: 'offline'; answeredAt: number | null }
  /** The device is online, but the service is not responding. */
  | { kind: 'unanswered'; answeredAt: number | null }
  /** The service serves a newer version of the web app. */
  | { kind: 'oldPage' }
  /** The service reports that its database or the chain is unavailable. */
  | { kind: 'database' | 'chain' }
  /** The service's clock is behind the chain's, so the service treats expired offers as valid. */
  | { kind: 'clock' }
  /** The service lags behind the chain by `seconds`, or by an unknown time if `seconds` is null. */
  | { kind: 'behind'; seconds: number | null }
  /** No maker is connected, so auctions would get no quotes. */
  | { kind: 'noMakers' }

/** Inputs to {@link judgeTrouble}: the state of the device, the web app and the service. */
export type Signs = {
  outage: Outage | null
  /** `navigator.onLine`. May be true on a network that cannot reach the service. */
  online: boolean
  newerPage: boolean
  health: Pick<ServiceHealth, 'status' | 'database' | 'sync' | 'backers'> | undefined
}

/** Seconds by which the service's clock must lag behind the chain before the service reports it. */
const mostClockBehind = 30

/** Returns the problem to show in the banner, or null if there is none. Pure. */
export function judgeTrouble({ outage, online, newerPage, health }: Signs): Trouble | null {
  // A local service responds even without a network, so being offline matters only during an outage.
  if (outage) return { kind: online ? 'unanswered' : 'offline', answeredAt: outage.answeredAt }
  if (newerPage) return { kind: 'oldPage' }
  if (!health) return null
  const isWell = health.status === 'ok'
  if (!isWell && health.database !== 'ok') return { kind: 'database' }
  if (!isWell && health.sync.head === null) return { kind: 'chain' }
  // The service's own status does not reflect this problem.
  if (health.backers.connected === 0) return { kind: 'noMakers' }
  if (isWell) return null
  const { lagSeconds } = health.sync
  if (lagSeconds !== null && lagSeconds < -mostClockBehind) return { kind: 'clock' }
  return { kind: 'behind', seconds: lagSeconds !== null && lagSeconds > 0 ? lagSeconds : null }
}

/**
 * Converts an age to seconds for display, rounded down to a multiple of 10 s below a minute and of 60 s otherwise.
 * Pure.
 */
export function calmAge(milliseconds: number): number {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return seconds - (seconds % (seconds < 60 ? 10 : 60))
}

/** Returns the URL of the app's entry file, which differs between versions, or null if it has none. Pure. */
export function entryOf(html: string): string | null {
  for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) {
    if (/\btype="module"/.test(tag)) return /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? null
  }
  return null
}

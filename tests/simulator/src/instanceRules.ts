import type { SyncStatus } from '../../../apps/server/src/app/chain/sync.ts'
import { degradedSeconds, staleSeconds } from './plan.ts'

/** What an instance tells of itself, and what is known of it from outside. */
export type InstanceReport = {
  /** What it says of its place on the chain; null while it does not run. */
  sync: SyncStatus | null
  /** Its wall clock, Unix milliseconds. */
  wallNow: number
  /** For how long no write has succeeded while its clients were not sent elsewhere, in milliseconds. */
  unwritableMs: number
}

/** A clock that is further behind the chain is not to be trusted, in seconds. */
const mostBehindSeconds = 30
/** When clients must have been sent elsewhere, in milliseconds: two seconds, and the time to notice. */
const sentElsewhereMs = 3_500

/** What is wrong with what an instance says at a moment, in words. */
export function instanceFaults({ sync, wallNow, unwritableMs }: InstanceReport): string[] {
  const faults: string[] = []
  const newest = sync?.synced ?? sync?.head
  if (sync && newest && sync.state !== 'starting') {
    const age = Math.floor(wallNow / 1000) - Number(newest.timestamp)
    const isDegraded = age > degradedSeconds || age < -mostBehindSeconds || sync.failing
    const state = age > staleSeconds ? 'stale' : isDegraded ? 'degraded' : 'ok'
    if (sync.state !== state) faults.push(`says ${sync.state} of a block that is ${age} s old`)
  }
  if (unwritableMs > sentElsewhereMs)
    faults.push(`cannot write for ${unwritableMs} ms and has not sent its clients elsewhere`)
  return faults
}

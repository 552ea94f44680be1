import type { Service } from '../../../apps/server/src/app/service.ts'
import type { Life, Wall } from './life.ts'
import type { NodeFaults } from './simChain.ts'
import type { StorageFaults } from './simStore.ts'

/** A server instance. Its machine lives for the whole history, its processes come and go. */
export type Instance = {
  readonly number: number
  wall: Wall
  storage: StorageFaults
  node: NodeFaults
  /** Number of active causes that make the database unreachable. */
  cutOff: number
  /** Number of active faults, and the time when the last one ended. */
  troubles: number
  troubledUntil: number
  /** Time when the current process became ready for clients; null without a ready process. */
  readySince: number | null
  /** The current process. */
  process: Process | null
  start(): void
  /** Kills the process. */
  crash(): void
  /** Shuts down gracefully: open auctions run to their end, within the supervisor's time limit. */
  stopInOrder(onEnded: () => void): void
}

/** One process of an instance. */
export type Process = {
  life: Life
  service: Service
  /** Called when the process ends for any reason. */
  onEnd: Set<() => void>
  /** Called when clients are redirected because database writes fail. */
  onLost: Set<() => void>
  /** Time of the first failure in the current run of failed writes; null after a successful write. */
  unwritableSince: number | null
  /** Time when clients were redirected; null after a successful probe of the database. */
  lostAt: number | null
  stops: boolean
}

/** Virtual milliseconds since when an instance runs without faults; null while it has one. */
export function healthySince(instance: Instance | undefined): number | null {
  if (!instance || instance.readySince === null || instance.troubles > 0) return null
  return Math.max(instance.readySince, instance.troubledUntil)
}

/** Virtual milliseconds since when all writes fail and clients are not redirected; null otherwise. */
export function unwritableSince({ process }: Instance): number | null {
  if (process?.unwritableSince == null || process.lostAt !== null) return null
  return Math.max(process.unwritableSince, process.life.heldUpUntil())
}

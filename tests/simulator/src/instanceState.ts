import type { Service } from '../../../apps/server/src/app/service.ts'
import type { Life, Wall } from './life.ts'
import type { NodeFaults } from './simChain.ts'
import type { StorageFaults } from './simStore.ts'

/** A server instance. The machine lasts for the whole history, while its processes start and end. */
export type Instance = {
  readonly number: number
  wall: Wall
  storage: StorageFaults
  node: NodeFaults
  /** Number of active faults that make the database unreachable. */
  cutOff: number
  /** Number of active faults. `troubledUntil` is when the last fault ended. */
  troubles: number
  troubledUntil: number
  /** When the current process became ready for clients; null if it is not ready. */
  readySince: number | null
  /** The current process; null while none is running. */
  process: Process | null
  start(): void
  /** Kills the process. */
  crash(): void
  /** Shuts down gracefully: open auctions run to completion, within the supervisor's time limit. */
  stopInOrder(onEnded: () => void): void
}

/** One process of an instance. */
export type Process = {
  life: Life
  service: Service
  /** Called when the process ends, for any reason. */
  onEnd: Set<() => void>
  /** Called when clients are redirected because database writes fail. */
  onLost: Set<() => void>
  /** Time of the first write failure since the last successful write; null if there is none. */
  unwritableSince: number | null
  /** When clients were redirected; null after a successful database probe. */
  lostAt: number | null
  stops: boolean
}

/** Virtual time in milliseconds when an instance last became healthy; null while it has a fault. */
export function healthySince(instance: Instance | undefined): number | null {
  if (!instance || instance.readySince === null || instance.troubles > 0) return null
  return Math.max(instance.readySince, instance.troubledUntil)
}

/** Virtual time in milliseconds when writes began to fail without clients being redirected; otherwise null. */
export function unwritableSince({ process }: Instance): number | null {
  if (process?.unwritableSince == null || process.lostAt !== null) return null
  return Math.max(process.unwritableSince, process.life.heldUpUntil())
}

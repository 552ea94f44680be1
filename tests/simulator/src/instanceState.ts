import type { Service } from '../../../apps/server/src/app/service.ts'
import type { Life, Wall } from './life.ts'
import type { NodeFaults } from './simChain.ts'
import type { StorageFaults } from './simStore.ts'

/** An instance of the server: its machine stays, its process comes and goes. */
export type Instance = {
  readonly number: number
  wall: Wall
  storage: StorageFaults
  node: NodeFaults
  /** For how many reasons the database cannot be reached. */
  cutOff: number
  /** How many things are wrong with it at the moment, and when the last of them ended. */
  troubles: number
  troubledUntil: number
  /** When the process that runs now was ready for clients; null while none is. */
  readySince: number | null
  /** The process that runs now. */
  process: Process | null
  start(): void
  /** Ends the process at once. */
  crash(): void
  /** Ends it in order: open auctions run to their end, within the time that a supervisor gives. */
  stopInOrder(onEnded: () => void): void
}

/** One process of an instance. */
export type Process = {
  life: Life
  service: Service
  /** Called when the process has ended, however. */
  onEnd: Set<() => void>
  /** Called when clients are sent elsewhere, because the database cannot be written to. */
  onLost: Set<() => void>
  /** Since when every write has failed; null while they do not. */
  unwritableSince: number | null
  /** When clients were sent elsewhere; null when a probe of the database has succeeded since. */
  lostAt: number | null
  stops: boolean
}

/** Since when an instance runs and nothing is wrong with it, in virtual milliseconds; null while something is. */
export function healthySince(instance: Instance | undefined): number | null {
  if (!instance || instance.readySince === null || instance.troubles > 0) return null
  return Math.max(instance.readySince, instance.troubledUntil)
}

/** Since when no write has succeeded, without clients being sent elsewhere, in virtual milliseconds; null otherwise. */
export function unwritableSince({ process }: Instance): number | null {
  if (process?.unwritableSince == null || process.lostAt !== null) return null
  return Math.max(process.unwritableSince, process.life.heldUpUntil())
}

import type { ServiceDeps } from '../serviceDeps.ts'
import { createSuspendedMakers, type SuspendedMakers } from './suspendedMakers.ts'
import { createUnprovenMakers, type UnprovenMakers } from './unprovenMakers.ts'

/** What is known of makers that are contracts. */
export type MakerChecks = {
  suspendedMakers: SuspendedMakers
  unprovenMakers: UnprovenMakers
}

/** The dependencies of what judges quotes. */
export type JudgingDeps = ServiceDeps & MakerChecks

/** Creates what one instance knows of makers that are contracts. */
export function createMakerChecks(
  deps: Pick<ServiceDeps, 'clock' | 'observe' | 'store' | 'provenMakers'>,
): MakerChecks {
  return {
    suspendedMakers: createSuspendedMakers(deps),
    unprovenMakers: createUnprovenMakers(deps),
  }
}

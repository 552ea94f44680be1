import type { Bans } from '../control/bans.ts'
import type { ControlPlane } from '../control/controls.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { createSuspendedMakers, type SuspendedMakers } from './suspendedMakers.ts'
import { createUnprovenMakers, type UnprovenMakers } from './unprovenMakers.ts'

/** An instance's record of suspended and unproven contract makers. */
export type MakerChecks = {
  suspendedMakers: SuspendedMakers
  unprovenMakers: UnprovenMakers
}

/** The dependencies for judging quotes. */
export type JudgingDeps = ServiceDeps & MakerChecks & { controls: Pick<ControlPlane, 'current'>; bans: Bans }

/** Creates {@link MakerChecks}. */
export function createMakerChecks(
  deps: Pick<ServiceDeps, 'clock' | 'observe' | 'store' | 'provenMakers'>,
): MakerChecks {
  return {
    suspendedMakers: createSuspendedMakers(deps),
    unprovenMakers: createUnprovenMakers(deps),
  }
}

import type { Integrator } from '../../domain/quotas.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import type { ControlPlane } from './controls.ts'

/** Finds the integrator with an API key, given the key's SHA-256 in lower-case hex. `message` says why there is none. */
export type FindIntegrator = (hash: string) => { ok: true; integrator: Integrator } | { ok: false; message: string }

/** Creates {@link FindIntegrator}. For a hash that both know, the operator's decision precedes the settings. */
export function createFindIntegrator({
  controls,
  clock,
  integrators,
}: Pick<ServiceDeps, 'clock' | 'integrators'> & { controls: Pick<ControlPlane, 'current'> }): FindIntegrator {
  return (hash) => {
    const key = controls.current().keyOf(hash)
    if (!key) {
      const integrator = integrators?.get(hash)
      return integrator ? { ok: true, integrator } : { ok: false, message: 'is not a valid API key for this service' }
    }
    // Only the key's holder learns this.
    if (key.revokedAt !== null) return { ok: false, message: 'is an API key that the operator has revoked' }
    if (key.until !== null && clock.now() >= key.until) {
      return { ok: false, message: `is an API key that expired at ${new Date(key.until).toISOString()}` }
    }
    const { rfqsPerMinute, openRfqs } = key
    return { ok: true, integrator: { id: hash, limits: { rfqsPerMinute, openRfqs } } }
  }
}

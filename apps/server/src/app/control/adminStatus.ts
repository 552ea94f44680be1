import type { ServiceHealth } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import * as z from 'zod/mini'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Service } from '../service.ts'
import { adminMethod } from './adminMethod.ts'

/** Result of `status`: the service's health, and facts about this instance. */
export type AdminStatus = Omit<ServiceHealth, 'database'> & {
  /** The server's URL on this machine; null while it starts. */
  url: string | null
  /** Seconds since the server started. */
  uptimeSeconds: number
  database: { kind: 'sqlite' | 'postgresql'; status: ServiceHealth['database'] }
  /** Number of bans in force; null until the controls have been read. */
  bans: number | null
}

/** The dependencies of {@link createStatusMethods}. */
export type AdminStatusDeps = {
  service: Pick<Service, 'health' | 'controls'>
  clock: Pick<Clock, 'monotonic' | 'now'>
  isShared: boolean
  /** The server's URL on this machine; null until it listens. */
  url: () => string | null
}

/** Creates the method `status`. It answers while the service is degraded or down. */
export function createStatusMethods({ service, clock, isShared, url }: AdminStatusDeps) {
  const startedAt = clock.monotonic()
  return {
    status: adminMethod(z.strictObject({}), async (): Promise<AdminStatus> => {
      const { database, ...health } = await service.health()
      return {
        ...health,
        url: url(),
        uptimeSeconds: Math.floor((clock.monotonic() - startedAt) / 1_000),
        database: { kind: isShared ? 'postgresql' : 'sqlite', status: database },
        bans: countBans(service, clock.now()),
      }
    }),
  }
}

function countBans({ controls }: Pick<Service, 'controls'>, now: number): number | null {
  try {
    return controls.current().bans(now).length
  } catch (error) {
    if (error instanceof StorageUnavailableError) return null
    throw error
  }
}

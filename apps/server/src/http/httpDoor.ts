import type { QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Service } from '../app/service.ts'
import type { DoorLimits } from '../doorLimits.ts'
import type { Clock } from '../ports/clock.ts'

/** What the HTTP side works with. */
export type HttpDoor = {
  service: Service
  domain: QuoteDomain
  clock: Clock
  log: Logger
  limits: DoorLimits
  /** Express's `trust proxy`: whose word about the client's address counts. */
  trustProxy: boolean | number | string
  /** Whether the service is on its way out and takes no new work. */
  closing(): boolean
}

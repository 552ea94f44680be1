import type { QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Service } from '../app/service.ts'
import type { DoorLimits } from '../doorLimits.ts'
import type { Clock } from '../ports/clock.ts'
import type { MetricsPage } from '../ports/metrics.ts'

/** Reads a file of the documentation page, compressed with gzip; null when the page has no such file. */
export type DocsFiles = (name: string) => Promise<Uint8Array<ArrayBuffer> | null>

/** What the HTTP side works with. */
export type HttpDoor = {
  service: Service
  domain: QuoteDomain
  clock: Clock
  log: Logger
  limits: DoorLimits
  /** The public URL of the backer socket. */
  audience(): string
  docs: DocsFiles
  metrics: MetricsPage
  /** Express's `trust proxy`: whose word about the client's address counts. */
  trustProxy: boolean | number | string
  /** Whether the service is on its way out and takes no new work. */
  closing(): boolean
}

import type { Socket } from 'node:net'
import type { QuoteDomain } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import type { Service } from '../../app/service.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Signatures } from '../../ports/signatures.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { EntryLimits } from '../entryLimits.ts'

/** The backer socket's dependencies. */
export type BackerSocketOptions = {
  service: Service
  domain: QuoteDomain
  signatures: Pick<Signatures, 'recoverSigner'>
  clock: Clock
  /** Returns cryptographically secure random bytes. */
  random: (bytes: number) => Uint8Array
  log: Logger
  limits: EntryLimits
  /**
   * Protects a seated maker's connection from eviction. Calling the returned function ends the protection.
   */
  protectConnection: (socket: Socket) => () => void
  /** The socket's public URL, which backers sign. */
  audience: string
  /** Counts evictions from seats and failed authentications. */
  observe?: Pick<Metrics, 'seatGivenBack' | 'backerRefused'>
  /** Absent if tracing is off. */
  tracing?: Tracing
  /** Lower-case addresses of backers that may connect. Default: all backers. */
  allowList?: ReadonlySet<string>
}

import type { Clock, QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Service } from '../../app/service.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Signatures } from '../../ports/signatures.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { EntryLimits } from '../entryLimits.ts'

/** The dependencies of the WebSocket door. */
export type BackerSocketOptions = {
  service: Service
  domain: QuoteDomain
  signatures: Pick<Signatures, 'recoverSigner'>
  clock: Clock
  /** Returns so many bytes from a cryptographic source. */
  random: (bytes: number) => Uint8Array
  log: Logger
  limits: EntryLimits
  /** The public URL of the socket, which backers sign. */
  audience: string
  /** Is told of each seat that was given to a maker with more means, and of each backer that was not authenticated. */
  observe?: Pick<Metrics, 'seatGivenBack' | 'backerRefused'>
  /** Absent: nothing is traced. */
  tracing?: Tracing
  /** Lower-case addresses; absent allows every backer. */
  allowList?: ReadonlySet<string>
}

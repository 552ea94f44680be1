import type { Clock, QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Service } from '../app/service.ts'
import type { DoorLimits } from '../doors/doorLimits.ts'
import type { Signatures } from '../ports/signatures.ts'

/** What the backers' side works with. */
export type BackerDoorOptions = {
  service: Service
  domain: QuoteDomain
  signatures: Pick<Signatures, 'recoverSigner'>
  clock: Clock
  log: Logger
  limits: DoorLimits
  /** The public URL of the socket, which backers sign. */
  audience: string
  /** Lower-case addresses; absent lets every backer in. */
  allowList?: ReadonlySet<string>
}

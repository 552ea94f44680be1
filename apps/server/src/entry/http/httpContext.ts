import type { Socket } from 'node:net'
import type { QuoteDomain } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import type { Service } from '../../app/service.ts'
import type { Metrics, MetricsPage } from '../../ports/metrics.ts'
import type { NodeRelay } from '../../ports/nodeRelay.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { EntryLimits } from '../entryLimits.ts'
import type { DocsSite } from './webApp/docsSite.ts'
import type { WebApp, WebAppFolder } from './webApp/webApp.ts'

/**
 * The path under which requests to the devnet node are relayed. The web app uses this node instead of the wallet's.
 */
export const relayPath = '/devnet/rpc'

/** The dependencies of the HTTP routes. */
export type HttpContext = {
  service: Service
  domain: QuoteDomain
  clock: Clock
  log: Logger
  limits: EntryLimits
  /** The backer socket's public URL. */
  audience(): string
  /** Lower-case addresses of backers that may connect. Default: all backers. */
  allowList?: ReadonlySet<string>
  /** The API explorer's files. */
  apiExplorer: WebAppFolder
  /** The web app; null if it has not been built. */
  webApp: WebApp | null
  /** The docs site; null if it has not been built. */
  docsSite: DocsSite | null
  /** Relays the web app's requests to the devnet node; null if there is no relay. */
  relay: NodeRelay | null
  /** This machine's host name. */
  machineName: string
  metrics: MetricsPage &
    Pick<Metrics, 'requestRefused' | 'requestEnded' | 'streamOpened' | 'streamEnded' | 'limitReached'>
  /** Absent if tracing is off. */
  tracing?: Tracing
  /** Protects the connection of an event stream from eviction. Calling the returned function ends the protection. */
  protectConnection: (socket: Socket) => () => void
  /** The numbers of unauthenticated backer sockets and of backer sockets with a seat. */
  sockets: () => { pending: number; seated: number }
  /** Express's `trust proxy` setting: the proxies whose forwarded client addresses are trusted. */
  trustProxy: boolean | number | string
  /** Whether the service is shutting down and so opens no auctions. */
  draining(): boolean
  /** Whether the process has no file descriptors left for new connections. */
  outOfDescriptors(): boolean
  /** Whether the service is refusing all requests. */
  closing(): boolean
}

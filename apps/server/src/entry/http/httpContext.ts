import type { Clock, QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Integrator, Service } from '../../app/service.ts'
import type { Metrics, MetricsPage } from '../../ports/metrics.ts'
import type { NodeRelay } from '../../ports/nodeRelay.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { EntryLimits } from '../entryLimits.ts'
import type { DocsSite } from './webApp/docsSite.ts'
import type { WebApp, WebAppFolder } from './webApp/webApp.ts'

/** The path of the devnet's node, which the web app uses in place of a wallet's. */
export const relayPath = '/devnet/rpc'

/** The dependencies of the HTTP routes. */
export type HttpContext = {
  service: Service
  domain: QuoteDomain
  clock: Clock
  log: Logger
  limits: EntryLimits
  /** The public URL of the backer socket. */
  audience(): string
  /** Lower-case addresses of the backers that may connect. Default: all backers. */
  allowList?: ReadonlySet<string>
  /** Integrators with their own quotas, by the SHA-256 of their API key in lower-case hex. */
  integrators: ReadonlyMap<string, Integrator>
  /** Files of the API explorer. */
  apiExplorer: WebAppFolder
  /** The web app; null if it has not been built. */
  webApp: WebApp | null
  /** The docs site; null if it has not been built. */
  docsSite: DocsSite | null
  /** Relays requests of the web app to the devnet's node; null if there is no relay. */
  relay: NodeRelay | null
  /** The host name of this machine. */
  machineName: string
  metrics: MetricsPage & Pick<Metrics, 'requestRefused' | 'requestEnded' | 'streamOpened' | 'streamEnded'>
  /** Absent without tracing. */
  tracing?: Tracing
  /** Number of backer sockets. */
  sockets: () => { pending: number; seated: number }
  /** Express's `trust proxy`: the proxies whose forwarded client addresses are trusted. */
  trustProxy: boolean | number | string
  /** Whether the service is shutting down and opens no auctions. */
  draining(): boolean
  /** Whether the service refuses all requests. */
  closing(): boolean
}

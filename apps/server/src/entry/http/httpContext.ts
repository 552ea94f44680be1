import type { Clock, QuoteDomain } from '@firmquote/core'
import type { Logger } from 'pino'
import type { Integrator, Service } from '../../app/service.ts'
import type { Metrics, MetricsPage } from '../../ports/metrics.ts'
import type { NodeRelay } from '../../ports/nodeRelay.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { EntryLimits } from '../entryLimits.ts'
import type { DocsSite } from './webApp/docsSite.ts'
import type { WebApp, WebAppFolder } from './webApp/webApp.ts'

/** Where the page finds the devnet's node, in place of a wallet's. */
export const relayPath = '/devnet/rpc'

/** What the HTTP side works with. */
export type HttpContext = {
  service: Service
  domain: QuoteDomain
  clock: Clock
  log: Logger
  limits: EntryLimits
  /** The public URL of the backer socket. */
  audience(): string
  /** The backers that may connect, lower-case; absent: every backer. */
  allowList?: ReadonlySet<string>
  /** Who has a key with quotas of its own, by the SHA-256 of the key in lower-case hex. */
  integrators: ReadonlyMap<string, Integrator>
  /** The files of the page that shows the API's description. */
  docs: WebAppFolder
  /** The web client; null when it has not been built. */
  page: WebApp | null
  /** The documentation; null when it has not been built. */
  docsSite: DocsSite | null
  /** Passes requests of the page on to the devnet's node; null where the page's own wallet is all that it has. */
  relay: NodeRelay | null
  /** The name of this machine in its network. */
  machineName: string
  metrics: MetricsPage & Pick<Metrics, 'requestRefused' | 'requestEnded' | 'streamOpened' | 'streamEnded'>
  /** Absent: nothing is traced. */
  tracing?: Tracing
  /** How many backer sockets there are. */
  sockets: () => { pending: number; seated: number }
  /** Express's `trust proxy`: which proxies may name the client's address. */
  trustProxy: boolean | number | string
  /** Whether the service opens no auctions any more, since it is told to stop. */
  draining(): boolean
  /** Whether it is closing and takes no work at all. */
  closing(): boolean
}

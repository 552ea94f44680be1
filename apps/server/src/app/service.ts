import type { ServiceConfig, ServiceHealth } from '@firmquote/core'
import type { Chain } from '../ports/chain.ts'
import type { ServiceFigures } from '../ports/metrics.ts'
import type { Presence } from '../ports/presence.ts'
import type { AuctionHub } from './auctions/auctionHub.ts'
import type { Sync } from './chain/sync.ts'
import type { AdminMethods } from './control/adminMethods.ts'
import type { ControlPlane } from './control/controls.ts'
import type { FindIntegrator } from './control/integrators.ts'
import type { ReadStanding } from './makers/makerStanding.ts'
import type { Makers } from './makers/makers.ts'
import type { QuoteStatuses } from './makers/quoteStatuses.ts'
import type { Markets } from './markets/markets.ts'
import type { ProofService } from './proofs/proofService.ts'
import type { QuoteBook } from './quotes/quoteBook.ts'
import type { StorageWatch } from './storageWatch.ts'

export type { AuctionHub } from './auctions/auctionHub.ts'
export type { Requester } from './auctions/auctionOpener.ts'
export type { BackerSession } from './auctions/broadcasts.ts'
export type { AuctionListener, FollowedAuction, SubmissionVerdict } from './auctions/localAuction.ts'
export type { OpenRefusal } from './auctions/openRefusal.ts'
export type { Outcome } from './outcome.ts'
export type { Receipts, ReceiptVerdict } from './proofs/receipts.ts'
export type { ListedPage } from './quotes/quoteBook.ts'

/** Use cases called by the entry points. */
export type Service = {
  hub: AuctionHub
  book: QuoteBook
  makers: Makers
  sync: Sync
  markets: Markets
  statuses: QuoteStatuses
  /** Reads makers' funds and fills, which determine who keeps a seat when there are more makers than seats. */
  readStanding: ReadStanding
  /** Reads whether contracts accept signatures; null if unknown. Never rejects. */
  readSignatures: Chain['readSignatures']
  /** Counts each backer's sockets. */
  presence: Pick<Presence, 'enter'>
  config: ServiceConfig
  /** Provable auctions; null if they are off. Start the log before the other use cases. */
  proofs: ProofService | null
  /** Finds the integrator with an API key, given the key's SHA-256 in lower-case hex. */
  findIntegrator: FindIntegrator
  /** The operator's decisions. Start them before the other use cases. */
  controls: ControlPlane
  /** The operator's commands. */
  admin: AdminMethods
  storage: StorageWatch
  health(): Promise<ServiceHealth>
  /** The gauges for `/metrics`. Resolves within about a second and never rejects. */
  figures(): Promise<ServiceFigures>
}

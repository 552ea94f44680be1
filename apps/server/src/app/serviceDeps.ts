import type { Clock, QuoteDomain, ServiceConfig } from '@firmquote/core'
import type { Address } from 'viem'
import type { Bus } from '../ports/bus.ts'
import type { Chain } from '../ports/chain.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Store } from '../ports/store.ts'
import type { SyncSettings } from './chain/syncSettings.ts'
import type { Log } from './log.ts'

/** The limits that `GET /config` tells, and those that only the service itself has to know. */
export type ServiceLimits = ServiceConfig['limits'] & {
  /** Auctions open at the same time, whoever asked. */
  openAuctions: number
  /** Quotes being judged at the same time: so many of auctions, and so many published ones. */
  runningJudgements: number
}

/** Everything that the use cases stand on. */
export type ServiceDeps = {
  clock: Clock
  chain: Chain
  signatures: Signatures
  store: Store
  bus: Bus
  /** So many bytes from a cryptographic source. */
  random: (bytes: number) => Uint8Array
  domain: QuoteDomain
  interestRatePool: Address
  limits: ServiceLimits
  sync: SyncSettings
  /** How long an auction is open. */
  auctionDurationMs: number
  log: Log
}

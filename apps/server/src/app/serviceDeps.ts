// Why: docs/decisions/0027-simulated-histories.md
import type { Clock, QuoteDomain, ServiceConfig } from '@firmquote/core'
import type { Address } from 'viem'
import type { DustRule } from '../domain/minNotionalOf.ts'
import type { StatusUpdate } from '../domain/statusUpdate.ts'
import type { Bus } from '../ports/bus.ts'
import type { Chain } from '../ports/chain.ts'
import type { Presence } from '../ports/presence.ts'
import type { Quotas } from '../ports/quotas.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { Store } from '../ports/store.ts'
import type { Tracing } from '../ports/tracing.ts'

/** The limits that `GET /config` shows, and those that are internal. */
export type ServiceLimits = ServiceConfig['limits'] &
  Required<Pick<ServiceConfig['limits'], 'minSecondsAfterClose' | 'dustDivisor'>> & {
    /** The operator's least notionals by lower-case loan token, in raw units; `dustDivisor` is the rule for the others. */
    dustLimits: DustRule['limits']
    /** Auctions open at the same time, of all requesters. */
    openAuctions: number
    /** Quotes judged at the same time: so many of auctions, and so many published ones. */
    runningJudgements: number
  }

/** How the chain is followed. */
export type SyncSettings = {
  /** The first block that can hold an event of the contracts. */
  deployBlock: number
  /** The depth of reorganisation, in blocks, that is undone without syncing again from a checkpoint; by default 64. */
  reorgWindow?: number
  /** How many of the newest blocks are read with their headers, which show missing events; by default 1,000. */
  readSingly?: number
  /** Milliseconds between two polls of the node. */
  intervalMs: number
  /** Age of the newest block, in seconds, above which the service reports that it is degraded. */
  headDegradedSeconds: number
  /** Age in seconds above which it takes no new quotes and opens no auctions. */
  headStaleSeconds: number
}

/** The log of the use cases. It never gets a signature, a key or the borrower's id of an auction. */
export type Log = {
  debug(facts: Record<string, unknown>, message: string): void
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}

/** The dependencies of the use cases. */
export type ServiceDeps = {
  clock: Clock
  chain: Chain
  signatures: Signatures
  store: Store
  /** Whether other processes may have the same store: then what is open at a start may be theirs. Default: none has. */
  isShared?: boolean
  bus: Bus
  quotas: Quotas
  presence: Presence
  /** Returns so many bytes from a cryptographic source. */
  random: (bytes: number) => Uint8Array
  domain: QuoteDomain
  interestRatePool: Address
  limits: ServiceLimits
  sync: SyncSettings
  /**
   * Is told of each auction that was opened, abandoned or ended here, of each contract maker that is put aside, and of each
   * status that a maker is told.
   */
  observe?: {
    auctionOpened(): void
    auctionClosed(outcome: 'done' | 'interrupted'): void
    auctionAbandoned?(): void
    makerSuspended?(): void
    statusTold?(told: { status: StatusUpdate; final: boolean }): void
  }
  /** Absent: nothing is traced. */
  tracing?: Tracing
  /** Makers that are contracts and whose quotes the operator counts like any other's, lower-case; default none. */
  provenMakers?: ReadonlySet<string>
  /** How many days the floating rates of the pools are kept by the hour; without it, none are. */
  rateHistoryDays?: number
  /** How long an auction is open, in milliseconds. */
  auctionDurationMs: number
  log: Log
}

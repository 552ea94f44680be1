// Why: docs/decisions/0027-simulated-histories.md
import type { QuoteDomain, ServiceConfig } from '@firmquote/core'
import type { Address } from 'viem'
import type { DustRule } from '../domain/minNotionalOf.ts'
import type { Integrator } from '../domain/quotas.ts'
import type { StatusUpdate } from '../domain/statusUpdate.ts'
import type { Bus } from '../ports/bus.ts'
import type { Chain } from '../ports/chain.ts'
import type { NodeStatus } from '../ports/nodes.ts'
import type { Presence } from '../ports/presence.ts'
import type { ProofKeys } from '../ports/proofKeys.ts'
import type { Quotas } from '../ports/quotas.ts'
import type { ServiceClock } from '../ports/referenceClock.ts'
import type { Signatures } from '../ports/signatures.ts'
import type { ProofStore, Store, StoredLog } from '../ports/store.ts'
import type { Tracing } from '../ports/tracing.ts'
import type { LiveLimits } from './control/liveLimits.ts'

/** The limits published by `GET /config`, and internal limits. */
export type ServiceLimits = ServiceConfig['limits'] &
  Required<Pick<ServiceConfig['limits'], 'minSecondsAfterClose' | 'dustDivisor'>> & {
    /**
     * The operator's minimum notionals, in raw units, by lower-case loan token. For other tokens, `dustDivisor`
     * applies.
     */
    dustLimits: DustRule['limits']
    /** Maximum number of open auctions across all requesters. */
    openAuctions: number
    /** Maximum quotes judged concurrently. The limit applies separately to auction quotes and to published quotes. */
    runningJudgements: number
  }

/** Settings of the chain sync. */
export type SyncSettings = {
  /** The first block that may contain the contracts' events. */
  deployBlock: number
  /**
   * Maximum depth, in blocks, of a reorganisation that can be undone without resyncing from a checkpoint; default 64.
   */
  reorgWindow?: number
  /** Number of newest blocks read with their headers, which reveal missing events; default 1,000. */
  readSingly?: number
  /** Milliseconds between polls of the node. */
  intervalMs: number
  /** Age of the newest block, in seconds, above which the service reports itself as degraded. */
  headDegradedSeconds: number
  /** Age of the newest block, in seconds, above which the service accepts no quotes and opens no auctions. */
  headStaleSeconds: number
}

/** The use cases' log. A log entry must never contain a signature, a key or a borrower's auction ID. */
export type Log = {
  debug(facts: Record<string, unknown>, message: string): void
  info(facts: Record<string, unknown>, message: string): void
  warn(facts: Record<string, unknown>, message: string): void
  error(facts: Record<string, unknown>, message: string): void
}

/** A log, its store and its keys, which match. */
export type ProofDeps = { store: ProofStore; keys: ProofKeys; log: Pick<StoredLog, 'id' | 'origin'> }

/** The dependencies of the use cases. */
export type ServiceDeps = {
  clock: ServiceClock
  chain: Chain
  /** Returns the node in use, for `GET /health`. */
  node?: () => NodeStatus
  signatures: Signatures
  store: Store
  /**
   * Whether other processes may use the store. If so, auctions that are open at startup may belong to other processes.
   * Default false.
   */
  isShared?: boolean
  bus: Bus
  quotas: Quotas
  presence: Presence
  /** Returns this many cryptographically secure random bytes. */
  random: (bytes: number) => Uint8Array
  domain: QuoteDomain
  interestRatePool: Address
  limits: ServiceLimits
  /** Changes limits at run time. Default: none can be changed. */
  liveLimits?: LiveLimits
  /** The settings' integrators, by the SHA-256 of their API key in lower-case hex. Default: none. */
  integrators?: ReadonlyMap<string, Integrator>
  sync: SyncSettings
  /** Blocks for which a taker must have owed a debt before it counts; default 0, which counts every debt. */
  debtAgeBlocks?: number
  /**
   * Called for each auction opened, abandoned or closed here, each suspended contract maker, and each status update.
   */
  observe?: {
    auctionOpened(): void
    auctionClosed(outcome: 'done' | 'interrupted'): void
    auctionAbandoned?(): void
    makerSuspended?(): void
    statusTold?(told: { status: StatusUpdate; final: boolean }): void
  }
  /** The log of provable auctions. Absent if auctions are not provable. */
  proofs?: ProofDeps
  /** Absent if tracing is off. */
  tracing?: Tracing
  /**
   * Lower-case addresses of contract makers whose quotes the operator trusts as much as other makers' quotes; default
   * none.
   */
  provenMakers?: ReadonlySet<string>
  /** Lower-case addresses of the backers that may connect; default all. */
  allowList?: ReadonlySet<string>
  /** Days of hourly floating rates to retain. If absent, none are recorded. */
  rateHistoryDays?: number
  /** Auction duration in milliseconds. */
  auctionDurationMs: number
  log: Log
}

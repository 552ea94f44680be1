import type { Code } from '@firmquote/core'
import type { OpenTotals } from '../domain/quotas.ts'

/**
 * Reasons for dropping a message between instances. Not sent: no connection (`disconnected`), NATS does not accept data
 * (`stalled`), or too large. Not accepted: too large, not sealed with the key (`forged`), seen before or overtaken
 * (`replayed`), more than 30 s old or from the future (`untimely`), or from another program version.
 */
export const hintDrops = [
  'disconnected',
  'stalled',
  'oversized',
  'forged',
  'replayed',
  'untimely',
  'unknown_version',
] as const

/** One of {@link hintDrops}. */
export type HintDrop = (typeof hintDrops)[number]

/** The settings whose limits are counted when reached. */
export const countedLimits = [
  'RFQS_PER_MINUTE',
  'OPEN_RFQS',
  'OPEN_AUCTIONS',
  'STORED_QUOTES_PER_MAKER',
  'RUNNING_JUDGEMENTS',
] as const

/** One of {@link countedLimits}. */
export type CountedLimit = (typeof countedLimits)[number]

/** A completed request; `seconds` runs from its arrival to the end of its response, or of its stream. */
export type EndedRequest = {
  /** The id of its endpoint; `none` for the web app, the API descriptions and unknown paths. */
  route: string
  /** The response's status; `aborted` when the client closed before its end. */
  status: number | 'aborted'
  seconds: number
}

/** Counters of events. None of them names an account, an auction or a node. */
export type Metrics = {
  auctionOpened(): void
  auctionClosed(outcome: 'done' | 'interrupted'): void
  /** An auction lost its last follower and freed its slot. */
  auctionAbandoned(): void
  /** A contract maker was suspended. */
  makerSuspended(): void
  /** A backer's seat passed to one with more funds. */
  seatGivenBack(): void
  /**
   * A backer's authentication failed. `code` is the one in `auth_failed`, or `unanswered` if the backer left before
   * answering the challenge.
   */
  backerRefused(code: string): void
  /** A maker received a status update. */
  statusTold(told: { status: 'filled' | 'cancelled' | 'nonce_raised' | 'active'; final: boolean }): void
  /** A quote started to wait for its verdict. */
  quoteArrived(from: 'socket' | 'http'): void
  /** A quote got its verdict after `seconds`. */
  quoteJudged(quote: { from: 'socket' | 'http'; verdict: 'ACCEPTED' | Code; seconds: number }): void
  /** A write started to wait for its commit. */
  writeAsked(): void
  /** A write was committed or failed after `seconds`. */
  writeEnded(write: { outcome: 'committed' | 'failed'; seconds: number }): void
  /** A limit refused an RFQ, a quote or a proof. */
  limitReached(limit: CountedLimit): void
  requestEnded(request: EndedRequest): void
  /** A borrower opened an auction's event stream. */
  streamOpened(): void
  streamEnded(): void
  /** A request was answered with a problem. */
  requestRefused(code: Code): void
  /**
   * The server closed a connection that sent too many requests ahead, did not read, or whose network had too many
   * connections.
   */
  connectionCut(reason: 'pipelining' | 'not_reading' | 'too_many'): void
  /** A request to the node failed: no answer in time, or a refusal. */
  rpcFailed(kind: 'silent' | 'refused'): void
  /** Messages between instances were dropped. */
  hintsDropped(reason: HintDrop, count: number): void
  /** The connection of the message bus was established or lost. */
  busConnected(connected: boolean): void
}

/** The current state of the service. A value that was not available in time is null. */
export type ServiceFigures = {
  openAuctions: number
  backers: number
  /** Auctions with a slot, on all instances. */
  places: OpenTotals | null
  /**
   * The numbers of the node's newest block and of the newest block whose events are in the store, and the age of the
   * former in seconds. `lagSeconds` is the age of the latter, or of the former before any sync.
   */
  chain: { head: bigint | null; synced: bigint | null; headAgeSeconds: number | null; lagSeconds: number | null }
  database: {
    /** Whether the database answered within a second, and whether it accepts writes. */
    isReadable: boolean
    isWritable: boolean
    /** Whether the data is intact; null during the integrity check. */
    isWhole: boolean | null
    size: DatabaseSize
  }
}

/** Bytes of the database, of its write-ahead log, and of free disk space; null where unavailable. */
export type DatabaseSize = { data: number | null; log: number | null; free: number | null }

/** All sampled figures. */
export type Figures = ServiceFigures & {
  /** Backer sockets that have not authenticated, and those with a seat. */
  sockets: { pending: number; seated: number }
}

/** Resource usage of a thread; null where Node does not report it. */
export type ThreadFigures = {
  /** `main`, `store`, `integrity`, or `signatures-1` and so on. */
  thread: string
  heapBytes: number | null
  heapLimitBytes: number | null
  /** Processor time since the thread's start. */
  cpuSeconds: number | null
  /** Time since the thread's start during which its event loop was busy; null for a thread without one. */
  busySeconds: number | null
}

/** The metrics in the text format of Prometheus. */
export type MetricsPage = {
  contentType: string
  write(figures: Figures): Promise<string>
}

import type { Code } from '@firmquote/core'
import type { OpenTotals } from '../domain/quotas.ts'
import type { NodeStatus } from './nodes.ts'

/**
 * Reasons for dropping a message between instances. Outgoing: not connected (`disconnected`), NATS is not accepting
 * data (`stalled`), or too large (`oversized`). Incoming: too large (`oversized`), not sealed with the key (`forged`),
 * a duplicate or out of order (`replayed`), timestamped more than 30 s away from this instance's clock (`untimely`), or
 * from another program version (`unknown_version`).
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

/** Settings of limits that increment a counter when reached. */
export const countedLimits = [
  'RFQS_PER_MINUTE',
  'OPEN_RFQS',
  'OPEN_AUCTIONS',
  'STORED_QUOTES_PER_MAKER',
  'RUNNING_JUDGEMENTS',
  'READS_PER_MINUTE',
] as const

/** One of {@link countedLimits}. */
export type CountedLimit = (typeof countedLimits)[number]

/** A completed request. `seconds` is the time from the request's arrival to the end of its response or stream. */
export type EndedRequest = {
  /** The endpoint's ID; `none` for the web app, the API descriptions and unknown paths. */
  route: string
  /** The HTTP status; `aborted` if the client disconnected before the response ended. */
  status: number | 'aborted'
  seconds: number
}

/** Counts events. No counter identifies an account or an auction. */
export type Metrics = {
  auctionOpened(): void
  auctionClosed(outcome: 'done' | 'interrupted'): void
  /** An auction lost its last follower, which freed its slot. */
  auctionAbandoned(): void
  /** A contract maker was suspended. */
  makerSuspended(): void
  /** A backer lost its seat to a backer with more funds. */
  seatGivenBack(): void
  /**
   * A backer's authentication failed. `code` is the code in `auth_failed`, or `unanswered` if the backer disconnected
   * before answering the challenge.
   */
  backerRefused(code: string): void
  /** A status update was sent to a maker. */
  statusTold(told: { status: 'filled' | 'cancelled' | 'nonce_raised' | 'active'; final: boolean }): void
  /** A quote arrived and is waiting for its verdict. */
  quoteArrived(from: 'socket' | 'http'): void
  /** A quote received its verdict after `seconds`. */
  quoteJudged(quote: { from: 'socket' | 'http'; verdict: 'ACCEPTED' | Code; seconds: number }): void
  /** A write was requested and is waiting for its commit. */
  writeAsked(): void
  /** A write was committed or failed after `seconds`. */
  writeEnded(write: { outcome: 'committed' | 'failed'; seconds: number }): void
  /** A limit caused an RFQ, a quote, a proof or a read to be refused. */
  limitReached(limit: CountedLimit): void
  requestEnded(request: EndedRequest): void
  /** A borrower opened the event stream of an auction. */
  streamOpened(): void
  streamEnded(): void
  /** A request was answered with an error. */
  requestRefused(code: Code): void
  /**
   * The server closed a connection because its client had too many unanswered requests or was not reading responses, or
   * because the client's network had too many connections.
   */
  connectionCut(reason: 'pipelining' | 'not_reading' | 'too_many'): void
  /** A request to the node failed: it timed out or was refused. */
  rpcFailed(kind: 'silent' | 'refused', node: string): void
  /** Another node is in use, or the nodes began or ceased to disagree. Called once at startup. */
  nodeInUse(status: NodeStatus): void
  /** `count` messages between instances were dropped. */
  hintsDropped(reason: HintDrop, count: number): void
  /** A step of the database's or the machine's clock was detected. */
  clockStepped(): void
  /** The connection to the message bus was established or lost. */
  busConnected(connected: boolean): void
}

/** The current state of the service. A value is null if it was not available in time. */
export type ServiceFigures = {
  openAuctions: number
  backers: number
  /** The numbers of open and abandoned auctions, across all instances. */
  places: OpenTotals | null
  /** Seconds that the service's time is ahead of the reference clock. */
  clockOffsetSeconds: number
  /**
   * `head` is the node's newest block, and `headAgeSeconds` is its age. `synced` is the newest block with stored
   * events, and `lagSeconds` is its age. Before the first sync, `lagSeconds` is the age of the head.
   */
  chain: { head: bigint | null; synced: bigint | null; headAgeSeconds: number | null; lagSeconds: number | null }
  /** Seconds since the expiry of the first expired series with positions and without a checkpoint; 0 if there is none. */
  checkpointOverdueSeconds: number | null
  /**
   * The log of provable auctions: the entries of its newest checkpoint, the checkpoint's age, and the entries that it does
   * not have yet; its witnesses, and the age of their newest signature. Null if auctions are not provable.
   */
  proofLog: {
    size: number
    ageSeconds: number | null
    waiting: number
    witnesses: number
    cosignedAgeSeconds: number | null
  } | null
  database: {
    /** Whether the database answered within a second, and whether it is accepting writes. */
    isReadable: boolean
    isWritable: boolean
    /** Whether the data is intact; null until the integrity check finishes. */
    isWhole: boolean | null
    size: DatabaseSize
  }
}

/** The sizes of the database and its write-ahead log, and the free disk space, in bytes; null if unavailable. */
export type DatabaseSize = { data: number | null; log: number | null; free: number | null }

/** All sampled figures. */
export type Figures = ServiceFigures & {
  /** The number of unauthenticated backer sockets, and the number with a seat. */
  sockets: { pending: number; seated: number }
}

/** A thread's resource usage; null for fields that Node.js does not report. */
export type ThreadFigures = {
  /** The thread's name: `main`, `store`, `integrity`, `signatures-1` and so on. */
  thread: string
  heapBytes: number | null
  heapLimitBytes: number | null
  /** CPU seconds used by the thread since it started. */
  cpuSeconds: number | null
  /**
   * Seconds the thread's event loop has been busy since the thread started; null for a thread without an event loop.
   */
  busySeconds: number | null
}

/** The metrics in Prometheus text format. */
export type MetricsPage = {
  contentType: string
  write(figures: Figures): Promise<string>
}

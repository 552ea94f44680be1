import type { Code } from '@firmquote/core'
import type { OpenTotals } from '../domain/quotas.ts'

/**
 * Why a message between instances was dropped. Not sent: there was no connection (`disconnected`), NATS takes nothing at the moment
 * (`stalled`), or it is too large. Not believed: too large, not sealed with the key (`forged`), seen before or overtaken
 * (`replayed`), more than 30 s old or from the future (`untimely`), or of another version of the program.
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

/** The settings whose limits are counted when they are reached. */
export const countedLimits = [
  'RFQS_PER_MINUTE',
  'OPEN_RFQS',
  'OPEN_AUCTIONS',
  'STORED_QUOTES_PER_MAKER',
  'RUNNING_JUDGEMENTS',
] as const

/** One of {@link countedLimits}. */
export type CountedLimit = (typeof countedLimits)[number]

/** A request that has ended; `seconds` is from its arrival to the end of its answer, of a stream to its end. */
export type EndedRequest = {
  /** The id of its endpoint; `none` for the pages, the descriptions and what is unknown. */
  route: string
  /** Of the answer; `aborted` when the client did not wait for all of it. */
  status: number | 'aborted'
  seconds: number
}

/** What is counted as it happens. Nothing here names an account, an auction or a node. */
export type Metrics = {
  auctionOpened(): void
  auctionClosed(outcome: 'done' | 'interrupted'): void
  /** Nobody follows an auction any more: its place among the open ones is free for another. */
  auctionAbandoned(): void
  /** A maker that is a contract was put aside for a while. */
  makerSuspended(): void
  /** A backer's seat was given to one with more means. */
  seatGivenBack(): void
  /** A backer was not authenticated; `code` is that of its `auth_failed`, or `unanswered`: it was gone before it answered the challenge. */
  backerRefused(code: string): void
  /** A maker was told what has become of one of its quotes. */
  statusTold(told: { status: 'filled' | 'cancelled' | 'nonce_raised' | 'active'; final: boolean }): void
  /** A quote waits for its verdict. */
  quoteArrived(from: 'socket' | 'http'): void
  /** A quote has its verdict; `seconds` is how long it waited for it. */
  quoteJudged(quote: { from: 'socket' | 'http'; verdict: 'ACCEPTED' | Code; seconds: number }): void
  /** A write waits for its commit. */
  writeAsked(): void
  /** A write is committed, or has failed; `seconds` is how long it waited. */
  writeEnded(write: { outcome: 'committed' | 'failed'; seconds: number }): void
  /** A limit has refused an RFQ, a quote or a proof. */
  limitReached(limit: CountedLimit): void
  requestEnded(request: EndedRequest): void
  /** A borrower follows an auction by a stream. */
  streamOpened(): void
  streamEnded(): void
  /** A request was answered with a problem. */
  requestRefused(code: Code): void
  /** A connection was ended by this side: it sent too many requests ahead, did not read, or its network has too many. */
  connectionCut(reason: 'pipelining' | 'not_reading' | 'too_many'): void
  /** A request to the node has failed: there was no answer in time, or it was refused. */
  rpcFailed(kind: 'silent' | 'refused'): void
  /** Messages between instances were not sent, or not believed. */
  hintsDropped(reason: HintDrop, count: number): void
  /** The connection that messages between instances take was made or lost. */
  busConnected(connected: boolean): void
}

/** The service at the moment of asking. What was not found out in time is null. */
export type ServiceFigures = {
  openAuctions: number
  backers: number
  /** Auctions that have a place, of all instances. */
  places: OpenTotals | null
  /**
   * The node's newest block and the newest whose events are in the store: their numbers, and the age of the former in seconds.
   * `lagSeconds` is the age of the latter, or of the former while there is none.
   */
  chain: { head: bigint | null; synced: bigint | null; headAgeSeconds: number | null; lagSeconds: number | null }
  database: {
    /** Whether it has answered within a second, and whether it takes writes. */
    isReadable: boolean
    isWritable: boolean
    /** Whether what is kept is whole; null while that is looked at. */
    isWhole: boolean | null
    size: DatabaseSize
  }
}

/** Bytes of the database, of its log of what is not in the database yet, and of what the disk has left; null where it cannot be told. */
export type DatabaseSize = { data: number | null; log: number | null; free: number | null }

/** All that is shown of the moment of asking. */
export type Figures = ServiceFigures & {
  /** Backer sockets that have not authenticated, and those that have a seat. */
  sockets: { pending: number; seated: number }
}

/** What a thread uses; null where Node does not tell. */
export type ThreadFigures = {
  /** `main`, `store`, `integrity`, or `signatures-1` and on. */
  thread: string
  heapBytes: number | null
  heapLimitBytes: number | null
  /** Processor time since its start. */
  cpuSeconds: number | null
  /** For how long its event loop had work, since its start; null for a thread without one. */
  busySeconds: number | null
}

/** What was counted, in the text format of Prometheus. */
export type MetricsPage = {
  contentType: string
  write(figures: Figures): Promise<string>
}

import type { Code } from '@firmquote/core'

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
  /** A backer was not authenticated; `code` is that of its `auth_failed`. */
  backerRefused(code: string): void
  /** A maker was told what has become of one of its quotes. */
  statusTold(told: { status: 'filled' | 'cancelled' | 'nonce_raised' | 'active'; final: boolean }): void
  /** A quote has its verdict; `seconds` is how long it waited for it. */
  quoteJudged(quote: { from: 'socket' | 'http'; verdict: 'ACCEPTED' | Code; seconds: number }): void
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

/** How things stand at the moment of asking. */
export type Standing = {
  openAuctions: number
  backers: number
  /** Backer sockets that have not authenticated, and those that have a seat. */
  sockets: { pending: number; seated: number }
  /** Age of the newest synced block in seconds; null when none is known. */
  lagSeconds: number | null
}

/** What was counted, in the text format of Prometheus. */
export type MetricsPage = {
  contentType: string
  write(standing: Standing): Promise<string>
}

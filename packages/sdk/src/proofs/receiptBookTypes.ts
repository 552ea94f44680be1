import type { PublicRfqId, QuoteAckMessage, QuoteDomain, SerializedSignedQuote } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Receipt, TreeHead, VerifiedCheckpoint } from '@firmquote/verify'
import type { Address, Hex } from 'viem'
import type { Refused } from './judgeReceipt.ts'

/** The part of a `LogReader` that a book needs. */
export type BookLog = {
  checkpoint(): Promise<VerifiedCheckpoint>
  entries(from: number, to: number, head: TreeHead): Promise<Uint8Array[]>
  inclusionPath(index: number, head: TreeHead): Promise<Uint8Array[]>
}

/** The service's answer about an auction in its log. `hashes` are base64, and empty until the close. */
export type ListedAuction = { open: number | null; close: number | null; hashes: readonly string[] }

/** The maker's connection to the service. */
export type BookService = {
  /** Sends a quote, such as `socket.submitSerializedQuote`. The socket must have been opened with `receipts`. */
  submit(rfqId: PublicRfqId, signed: SerializedSignedQuote): Promise<QuoteAckMessage>
  /** Reads `GET /log/auctions/:publicRfqId`. */
  readAuction(rfqId: PublicRfqId): Promise<ListedAuction>
  /** Reads `GET /maker/proofs`: the text of a proof file. */
  readProof(rfqId: PublicRfqId): Promise<string>
}

/** Keeps a book's open receipts across restarts. */
export type ReceiptStore = {
  save(hash: Hex, text: string): Promise<void>
  remove(hash: Hex): Promise<void>
  /** The saved texts, oldest first. */
  list(): Promise<readonly string[]>
}

/**
 * A proof to keep. `omission` and `unclosed` prove a broken promise, `quote` a kept one. `refusal` shows the reason with
 * which the service refused a quote. `text` is the file, which anyone can verify with `verifyProof`.
 */
export type ReceiptProof = {
  type: 'quote' | 'refusal' | 'omission' | 'unclosed'
  rfqId: PublicRfqId
  hash: Hex
  text: string
}

/**
 * - `RECEIPT_INVALID`: the receipt does not state the acknowledged verdict, or its signer is no key of the log.
 * - `RECEIPT_MISSING`: the service promised nothing for an accepted quote, even when asked again.
 * - `UNANSWERED`: the service did not answer a quote. Not provable.
 * - `LOG_STALE`: the log's checkpoints do not show whether promises were kept. No promise counts as broken.
 * - `HASHES_WITHHELD`: the service does not list the leaves of a closed auction. Visible, but proves nothing.
 * - `PROOF_WITHHELD`: the auction has the quote, but the service does not give its proof.
 * - `NOT_OPENED`: a promise was not kept, and the log does not even have the auction's opening. There is no file.
 * - `LOG_REPLACED`: a stored receipt is of a log that the service no longer uses.
 * - `DROPPED`: the book is full, and dropped its oldest quote.
 */
export type ReceiptProblemCode =
  | 'RECEIPT_INVALID'
  | 'RECEIPT_MISSING'
  | 'UNANSWERED'
  | 'LOG_STALE'
  | 'HASHES_WITHHELD'
  | 'PROOF_WITHHELD'
  | 'NOT_OPENED'
  | 'LOG_REPLACED'
  | 'DROPPED'

/** Something that is wrong, but that no file proves. `rfqId` is null if it concerns the whole log. */
export type ReceiptProblem = {
  code: ReceiptProblemCode
  rfqId: PublicRfqId | null
  hash: Hex | null
  message: string
}

/** A book's callbacks. */
export type ReceiptBookEvents = {
  /** A proof to save. If the promise rejects, the book calls it again in a later check. */
  onProof(proof: ReceiptProof): void | Promise<void>
  onProblem?(problem: ReceiptProblem): void
}

/** Numbers since the book was created. `open` and `isStale` describe the present. */
export type ReceiptCounts = {
  /** Quotes sent, each counted once. */
  sent: number
  accepted: number
  refused: number
  unanswered: number
  receipts: number
  missing: number
  invalid: number
  kept: number
  broken: number
  /** Promises that wait for their check. */
  open: number
  isStale: boolean
}

/** Options of a receipt book. */
export type ReceiptBookConfig = {
  maker: Address
  market: QuoteDomain
  /** The service's `proofs` of `GET /config`. */
  proofs: { origin: string; key: string; promiseSeconds: number }
  /**
   * Witnesses that the maker trusts, as `formatKey` writes their keys. Without one, a missing close cannot be proved.
   * Default: none.
   */
  witnesses?: readonly string[]
  log: BookLog
  service: BookService
  events: ReceiptBookEvents
  /** Default: receipts are lost when the process ends. */
  store?: ReceiptStore
  /** Whether a refusal is wrong, so that its proof is kept. Default: no. */
  isWrong?(refusal: Refused): boolean
  clock?: Clock
  /** Maximum number of quotes in the book. Default: 10,000. */
  maxQuotes?: number
}

/** A maker's receipts. */
export type ReceiptBook = {
  /** Sends a quote and keeps its receipt. Rejects as `service.submit` does. */
  submit(rfqId: PublicRfqId, signed: SerializedSignedQuote): Promise<QuoteAckMessage>
  /** Takes a receipt from the socket's `onReceipt`. */
  receive(message: { hash: Hex; receipt: Receipt }): void
  /** Checks due promises. Call it every 15 seconds or so. Never rejects. */
  check(): Promise<void>
  counts(): ReceiptCounts
  /** Cancels timers and waits until everything is saved. */
  stop(): Promise<void>
}

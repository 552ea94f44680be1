import type {
  AuctionResultMessage,
  PublicRfqId,
  QuoteAckMessage,
  QuoteMarketQuote,
  QuoteStatusMessage,
  ReceiptMessage,
  RFQBroadcast,
  SerializedSignedQuote,
} from '@firmquote/core'
import type { BookLog, BookService } from '@firmquote/sdk/proofs'
import type { Hex } from 'viem'
import type { PublishedCurve } from '../domain/marketView.ts'

/** Events from the service to the maker. */
export type ServiceEvents = {
  /** The service has authenticated the maker, initially or after a reconnect. */
  onAuthenticated(): void
  onRfq(rfq: RFQBroadcast): void
  onResult(result: AuctionResultMessage): void
  /** Status update for one of the maker's quotes. Updates arrive in order of `seq`. */
  onStatus(status: QuoteStatusMessage): void
  /** A receipt for the verdict on a quote, not yet verified. Sent by services that keep a log. */
  onReceipt(message: ReceiptMessage): void
  /** The service refused the daemon, or the daemon refused the service. The client does not reconnect. */
  onRefused(error: Error): void
}

/** A service's log. `key` is in the form of a signed note's key. */
export type LogSettings = { origin: string; url: string; key: string; promiseSeconds: number }

/** The quote service, with the key that signs for it. */
export type Service = {
  url: string
  isConnected(): boolean
  isAuthenticated(): boolean
  /**
   * Connects, and reconnects until `disconnect` is called. Returns immediately.
   *
   * @param resumeFrom `seq` of the last stored status update. Later updates are replayed first. 0 replays all retained
   * updates.
   */
  connect(events: ServiceEvents, options: { resumeFrom: number }): void
  /** Resolves once no checkpoint is being signed. */
  disconnect(): Promise<void>
  /** @throws {SignerError} if signing fails. */
  sign(quote: QuoteMarketQuote): Promise<Hex>
  /** @throws {ConnectionError} or {TimeoutError}. `sent` says whether the service may have received the quote. */
  submit(rfqId: PublicRfqId, signed: SerializedSignedQuote, traceparent?: string): Promise<QuoteAckMessage>
  decline(rfqId: PublicRfqId, reason: string): void
  /**
   * Reads the rates and depth of the service's pools.
   *
   * @throws {BaseError} if the service does not respond.
   */
  readCurves(): Promise<PublishedCurve[]>
  /**
   * Reads which log the service keeps, or null if it keeps none.
   *
   * @throws {BaseError} if the service does not respond.
   */
  readLogSettings(): Promise<LogSettings | null>
  /** Opens a log of the service. */
  openLog(settings: LogSettings): BookLog
  readAuction: BookService['readAuction']
  readProof: BookService['readProof']
}

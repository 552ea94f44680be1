import type {
  AuctionResultMessage,
  PublicRfqId,
  QuoteAckMessage,
  QuoteMarketQuote,
  QuoteStatusMessage,
  RFQBroadcast,
  SerializedSignedQuote,
} from '@firmquote/core'
import type { Hex } from 'viem'
import type { PublishedCurve } from '../domain/marketView.ts'

/** Events from a service to its maker. */
export type ServiceEvents = {
  /** The service has authenticated the maker, initially or after a reconnect. */
  onAuthenticated(): void
  onRfq(rfq: RFQBroadcast): void
  onResult(result: AuctionResultMessage): void
  /** Status update of one of the maker's quotes, in the order of `seq`. */
  onStatus(status: QuoteStatusMessage): void
  /** The service refused the daemon, or the daemon refused the service. There is no reconnect. */
  onRefused(error: Error): void
}

/** The quote service, and the key that signs for it. */
export type Service = {
  url: string
  isConnected(): boolean
  isAuthenticated(): boolean
  /**
   * Starts to connect and reconnects until `disconnect`. Returns immediately.
   *
   * @param resumeFrom `seq` of the last stored status update. Later ones are replayed first; 0 replays all retained ones.
   */
  connect(events: ServiceEvents, options: { resumeFrom: number }): void
  disconnect(): void
  /** @throws {SignerError} if signing fails. */
  sign(quote: QuoteMarketQuote): Promise<Hex>
  /** @throws {ConnectionError} or {TimeoutError}; `sent` says whether the service may have received it. */
  submit(rfqId: PublicRfqId, signed: SerializedSignedQuote, traceparent?: string): Promise<QuoteAckMessage>
  decline(rfqId: PublicRfqId, reason: string): void
  /**
   * Reads rates and depth of the service's pools.
   *
   * @throws {BaseError} if the service does not answer.
   */
  readCurves(): Promise<PublishedCurve[]>
}

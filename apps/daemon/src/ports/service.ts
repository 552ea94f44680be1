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

/** What a service sends to its backer. */
export type ServiceEvents = {
  /** The service has authenticated this backer, for the first time or again. */
  onAuthenticated(): void
  onRfq(rfq: RFQBroadcast): void
  onResult(result: AuctionResultMessage): void
  /** What has become of one of the maker's quotes, in the order of `seq`. */
  onStatus(status: QuoteStatusMessage): void
  /** The service has refused this daemon, or the other way round: there is no reconnection. */
  onRefused(error: Error): void
}

/** The quote service, and the key that signs for it. */
export type Service = {
  url: string
  isConnected(): boolean
  isAuthenticated(): boolean
  /**
   * Connects, and reconnects until `disconnect`; returns at once.
   *
   * @param resumeFrom the `seq` of the last status that is stored: what came after it is told first; 0 for all that is kept.
   */
  connect(events: ServiceEvents, options: { resumeFrom: number }): void
  disconnect(): void
  /** @throws {SignerError} when it was not signed. */
  sign(quote: QuoteMarketQuote): Promise<Hex>
  /** @throws {ConnectionError} or {TimeoutError}; its `sent` tells whether the service may have received it. */
  submit(rfqId: PublicRfqId, signed: SerializedSignedQuote, traceparent?: string): Promise<QuoteAckMessage>
  decline(rfqId: PublicRfqId, reason: string): void
  /** What the service's pools pay. @throws {BaseError} when it does not answer. */
  readCurves(): Promise<PublishedCurve[]>
}

import type {
  AuctionResultMessage,
  PublicRfqId,
  QuoteAckMessage,
  QuoteMarketQuote,
  RFQBroadcast,
  SerializedSignedQuote,
} from '@firmquote/core'
import type { Hex } from 'viem'

/** What a service tells its backer. */
export type ServiceEvents = {
  /** The service has let this backer in, for the first time or again. */
  onAuthenticated(): void
  onRfq(rfq: RFQBroadcast): void
  onResult(result: AuctionResultMessage): void
  /** The service and this daemon do not trust each other: it does not come back by itself. */
  onRefused(error: Error): void
}

/** The quote service, and the key that signs for it. */
export type Service = {
  url: string
  isConnected(): boolean
  isAuthenticated(): boolean
  /** Connects and keeps coming back until `disconnect`; returns at once. */
  connect(events: ServiceEvents): void
  disconnect(): void
  /** @throws {SignerError} when it was not signed. */
  sign(quote: QuoteMarketQuote): Promise<Hex>
  /** @throws {ConnectionError} or {TimeoutError}; its `sent` says whether the service may have seen it. */
  submit(rfqId: PublicRfqId, signed: SerializedSignedQuote): Promise<QuoteAckMessage>
  decline(rfqId: PublicRfqId, reason: string): void
}

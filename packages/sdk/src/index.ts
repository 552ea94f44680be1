export {
  BUNDLER3_ADDRESS,
  INTEREST_RATE_POOL_ADDRESS,
  INTEREST_RATE_POOL_DEPLOY_BLOCK,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from '@firmquote/addresses'
export {
  type AccountDebt,
  type AccountPositions,
  type AuctionResultMessage,
  type AuthenticatedMessage,
  aprToApy,
  aprToRatePerSec,
  apyToApr,
  apyToRatePerSec,
  BaseError,
  type BlockRef,
  ChainUnavailableError,
  type Code,
  type CollectedQuote,
  type CurrentRate,
  comparePrices,
  deserializeQuote,
  deserializeSignedQuote,
  type FixedPosition,
  formatAddress,
  formatDuration,
  formatPoolId,
  formatPrincipal,
  formatRate,
  formatTimestamp,
  formatTvl,
  getChainName,
  hashQuote,
  InvalidInputError,
  type PoolRates,
  parsePrincipal,
  type QuoteAckMessage,
  type QuoteFilters,
  type QuoteMarketQuote,
  type QuotePage,
  quoteApr,
  type Rejection,
  type RFQ,
  type RFQObservation,
  type RFQRequest,
  type RFQResult,
  type RFQStreamEvent,
  type RFQSummary,
  ratePerSecToApr,
  ratePerSecToApy,
  type SerializedQuote,
  type SerializedSignedQuote,
  type ServiceConfig,
  type ServiceHealth,
  type SignedQuote,
  type StoredQuote,
  serializeQuote,
  serializeSignedQuote,
} from '@firmquote/core'
export { BackerSigner, type BackerSignerConfig } from './backerSigner.ts'
export type { CallOptions } from './callGuard.ts'
export { type CheckExecutabilityParameters, checkExecutability } from './checkExecutability.ts'
export type { ClientConfig } from './clientConfig.ts'
export type { Clock } from './clock.ts'
export {
  AbortedError,
  AuthenticationError,
  ClientError,
  ConnectionError,
  type Delivery,
  InvalidResponseError,
  ServiceError,
  type ServiceErrorCode,
  SignerError,
  type SignerErrorCode,
  StreamError,
  TimeoutError,
  WebSocketMissingError,
} from './errors.ts'
export type {
  BorrowerCheck,
  DeadlineCheck,
  Executability,
  ExecutabilityRequest,
  MakerFundsCheck,
  NonceAndStatusCheck,
  PreviewCheck,
  TermsCheck,
} from './executability.ts'
export type { ConnectOptions, RFQWebSocketClose } from './persistentLine.ts'
export type { RFQAuctionEvent, StreamOptions } from './rfqStream.ts'
export { RFQWebSocketClient, type RFQWebSocketEvents } from './rfqWebSocketClient.ts'
export type { RFQWebSocketConfig } from './rfqWebSocketConfig.ts'
export { type ConnectWebSocketOptions, ServiceClient, type ServiceClientOptions } from './serviceClient.ts'
export {
  approveParameters,
  cancelQuoteParameters,
  raiseNonceParameters,
  setOperatorParameters,
  takeQuoteParameters,
} from './takeQuote.ts'
export type { WebSocketConstructor, WebSocketLike } from './webSocketLike.ts'

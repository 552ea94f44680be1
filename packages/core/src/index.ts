export { interestRatePoolAbi } from './abi/interestRatePool.ts'
export { quoteMarketAbi } from './abi/quoteMarket.ts'
export { rateAdapterAbi } from './abi/rateAdapter.ts'
export {
  authClockToleranceSeconds,
  type BackerAuth,
  type BackerChallenge,
  backerAuthTypedData,
  backerAuthTypes,
  formatChallenge,
  hashBackerAuth,
  parseChallenge,
} from './backerAuth.ts'
export {
  type AuctionResultMessage,
  type AuthChallengeMessage,
  type AuthenticatedMessage,
  type ClientMessage,
  closeCodes,
  type QuoteAckMessage,
  type ServerMessage,
} from './backerMessages.ts'
export {
  BaseError,
  type BaseErrorOptions,
  ChainUnavailableError,
  InvalidInputError,
  type InvalidInputOptions,
} from './errors.ts'
export {
  type FormatDurationOptions,
  type FormatPrincipalOptions,
  type FormatRateOptions,
  type FormatTimestampOptions,
  type FormatTvlOptions,
  formatAddress,
  formatDuration,
  formatPoolId,
  formatPrincipal,
  formatRate,
  formatTimestamp,
  formatTvl,
  getChainName,
  parsePrincipal,
  type ShortenOptions,
} from './formats.ts'
export { type BlockRef, isSignedByMaker, judgeState, type QuoteState } from './judgeState.ts'
export { judgeTerms, type QuoteTerms } from './judgeTerms.ts'
export {
  deserializeQuote,
  deserializeSignedQuote,
  type QuoteMarketQuote,
  quoteFields,
  type SerializedQuote,
  type SerializedSignedQuote,
  type SignedQuote,
  serializeQuote,
  serializeSignedQuote,
} from './quote.ts'
export { comparePrices, type QuotePrice, quoteApr } from './quotePrice.ts'
export {
  aprToApy,
  aprToRatePerSec,
  apyToApr,
  apyToRatePerSec,
  maxRatePercent,
  maxRatePerSec,
  ratePerSecToApr,
  ratePerSecToApy,
  secondsPerYear,
} from './rates.ts'
export { type Code, codes, describeRejection, type Rejection, rejectionDetails } from './rejection.ts'
export type {
  CollectedQuote,
  RFQ,
  RFQObservation,
  RFQRequest,
  RFQResult,
  RFQStreamEvent,
  RFQSummary,
} from './rfq.ts'
export {
  type AccountDebt,
  type AccountPositions,
  type CurrentRate,
  type FixedPosition,
  type PoolRates,
  type Problem,
  type QuoteFilters,
  type QuotePage,
  type QuoteStatus,
  quoteStatuses,
  type ServiceConfig,
  type ServiceHealth,
  type StoredQuote,
} from './serviceRecords.ts'
export {
  explainBadSignature,
  type Recovery,
  recoverMaker,
  recoverSigner,
  type SignatureCause,
  type SignatureFault,
} from './signature.ts'
export {
  hashQuote,
  type QuoteDomain,
  quoteEip712Domain,
  quoteTypedData,
  quoteTypes,
} from './typedData.ts'
export { maxUint256, parseUint256 } from './uint256.ts'

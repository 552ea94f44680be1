export { bundler3Abi } from './abi/bundler3.ts'
export { bundlerAdapterAbi } from './abi/bundlerAdapter.ts'
export { interestRatePoolAbi } from './abi/interestRatePool.ts'
export { keeperBundlerAbi } from './abi/keeperBundler.ts'
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
export { checkedPositiveUint256, checkedUint256 } from './checkedUint256.ts'
export { type Choice, type ChoosableQuote, type ChooseOptions, chooseQuotes } from './chooseQuotes.ts'
export { type Clock, systemClock } from './clock.ts'
export { closeCodes } from './closeCodes.ts'
export { healthFactor, liquidationPrice, type SecuredDebt } from './debtHealth.ts'
export { describeValue } from './describeValue.ts'
export { encodeJson } from './encodeJson.ts'
export {
  BaseError,
  type BaseErrorOptions,
  ChainUnavailableError,
  InvalidInputError,
  type InvalidInputOptions,
} from './errors.ts'
export { type EventId, formatEventId, parseEventId } from './eventId.ts'
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
  type ParsePrincipalOptions,
  parsePrincipal,
  type ShortenOptions,
} from './formats.ts'
export type * from './generated/wireTypes.ts'
export { guardInput } from './guardInput.ts'
export { hashQuote } from './hashQuote.ts'
export { parseIdempotencyKey } from './idempotencyKey.ts'
export { type BlockRef, isSignedByMaker, judgeState, type QuoteState } from './judgeState.ts'
export { judgeTerms, type QuoteTerms } from './judgeTerms.ts'
export { parseAddress, parseBytes32, parseSignature } from './parseHex.ts'
export {
  type IndexReading,
  indexAtExpiry,
  type PayablePosition,
  positionPayout,
  type SeriesIndex,
} from './positionPayout.ts'
export {
  deserializeQuote,
  deserializeSignedQuote,
  quoteFields,
  type SerializedQuote,
  type SerializedSignedQuote,
  serializeQuote,
  serializeSignedQuote,
} from './quote.ts'
export { comparePrices, type QuotePrice, quoteApr } from './quotePrice.ts'
export { type QuoteStatus, quoteStatuses } from './quoteStatus.ts'
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
export {
  formatReadAuthorization,
  hashReadAuth,
  isReadAuthCurrent,
  parseReadAuthorization,
  type ReadAuthorization,
  type ReadAuthRefusal,
  readAuthAheadSeconds,
  readAuthLifetimeSeconds,
  readAuthTypedData,
} from './readAuth.ts'
export {
  type Code,
  codes,
  describeRejection,
  isTemporary,
  type Rejection,
  type RejectionWords,
  rejectionDetails,
} from './rejection.ts'
export {
  type PublicRfqId,
  parsePublicRfqId,
  parseRfqId,
  type RfqId,
  toPublicRfqId,
  toRfqId,
} from './rfqId.ts'
export type { RFQStreamEvent } from './rfqStreamEvent.ts'
export { isSequenceNumber } from './sequence.ts'
export {
  explainBadSignature,
  type Recovery,
  recoverMaker,
  recoverSigner,
} from './signature.ts'
export type { SignatureCause, SignatureFault } from './signatureCause.ts'
export { signingTypes } from './signingTypes.ts'
export {
  hashTakerAuth,
  isTakerProofCurrent,
  type TakerAuth,
  takerAudience,
  takerAuthTypedData,
  takerAuthTypes,
  takerProofAheadSeconds,
  takerProofLifetimeSeconds,
} from './takerAuth.ts'
export { parseTraceparent } from './traceparent.ts'
export {
  type QuoteDomain,
  quoteEip712Domain,
  quoteTypedData,
  quoteTypes,
} from './typedData.ts'
export { maxUint256, parsePositiveUint256, parseUint256 } from './uint256.ts'
export { isUnixSeconds } from './unixSeconds.ts'

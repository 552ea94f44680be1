export { bundler3Abi } from './abi/bundler3.ts'
export { bundlerAdapterAbi } from './abi/bundlerAdapter.ts'
export { interestRatePoolAbi } from './abi/interestRatePool.ts'
export { keeperBundlerAbi } from './abi/keeperBundler.ts'
export { quoteMarketAbi } from './abi/quoteMarket.ts'
export { rateAdapterAbi } from './abi/rateAdapter.ts'
export {
  type PublicRfqId,
  parsePublicRfqId,
  parseRfqId,
  type RfqId,
  toPublicRfqId,
  toRfqId,
} from './auction/rfqId.ts'
export type { RFQProgressEvent, RFQStreamEvent } from './auction/rfqStreamEvent.ts'
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
  type ParsePrincipalOptions,
  parsePrincipal,
  type ShortenOptions,
} from './format/formats.ts'
export type * from './generated/wireTypes.ts'
export { hashQuote } from './quote/hashQuote.ts'
export type { BlockRef, QuoteState } from './quote/judgeState.ts'
export { judgeTerms, type QuoteTerms } from './quote/judgeTerms.ts'
export {
  deserializeQuote,
  deserializeSignedQuote,
  type SerializedQuote,
  type SerializedSignedQuote,
  serializeQuote,
  serializeSignedQuote,
} from './quote/quote.ts'
export { comparePrices, type QuotePrice, quoteApr, quoteEffectiveApy } from './quote/quotePrice.ts'
export { type QuoteStatus, quoteStatuses } from './quote/quoteStatus.ts'
export {
  type Code,
  codes,
  describeRejection,
  type HaltScope,
  isTemporary,
  type Rejection,
  type RejectionWords,
} from './quote/rejection.ts'
export {
  type Recovery,
  recoverMaker,
} from './quote/signature.ts'
export type { SignatureCause, SignatureFault } from './quote/signatureCause.ts'
export {
  type QuoteDomain,
  quoteEip712Domain,
  quoteTypedData,
  quoteTypes,
} from './quote/typedData.ts'
export { compareWithFloating, type FloatingComparison } from './rates/compareWithFloating.ts'
export { floatingGrowth } from './rates/floatingGrowth.ts'
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
} from './rates/rates.ts'
export { type Choice, type ChoosableQuote, type ChooseOptions, chooseQuotes } from './selection/chooseQuotes.ts'

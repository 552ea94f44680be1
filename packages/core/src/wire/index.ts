export { type Decoded, type DecodeIssue, decode, decodeOrThrow, encodeJson, type Shape } from './decode.ts'
export { authMessageShape, clientMessageShape, serverMessageShape } from './messageShapes.ts'
export { address, bytes32, positiveUint256, rfqId, uint256, unixSeconds } from './primitives.ts'
export {
  collectedQuoteShape,
  quoteShape,
  rfqObservationsShape,
  rfqRequestShape,
  rfqResultShape,
  rfqShape,
  rfqStartedShape,
  rfqSummaryShape,
  signedQuoteShape,
} from './quoteShapes.ts'
export {
  currentRatesShape,
  observationFiltersShape,
  poolRatesShape,
  problemShape,
  quoteFiltersShape,
  quotePageShape,
  serviceConfigShape,
  serviceHealthShape,
  storedQuoteShape,
} from './recordShapes.ts'

export { type Decoded, type DecodeIssue, decode, decodeOrThrow, type Shape } from './decode.ts'
export { describeShape, type FieldNode, type ShapeNode } from './describeShape.ts'
export * from './messageShapes.ts'
export {
  address,
  bytes32,
  positiveUint256,
  publicRfqId,
  rfqId,
  signature,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from './primitives.ts'
export {
  collectedQuoteShape,
  quoteShape,
  receiptShape,
  rfqBroadcastShape,
  rfqObservationsShape,
  rfqProgressShape,
  rfqRequestShape,
  rfqResultShape,
  rfqShape,
  rfqStartedShape,
  rfqStreamErrorShape,
  rfqSummaryShape,
  signedQuoteShape,
  streamOptionsShape,
} from './quoteShapes.ts'
export * from './recordShapes.ts'
export { type ShapeFacts, type WireFacts, wireRegistry } from './wireRegistry.ts'

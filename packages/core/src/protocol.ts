// What both sides of the protocol share, besides the shapes in `wire`. Clients in TypeScript should use `@firmquote/sdk`.

export { closeCodes } from './auction/closeCodes.ts'
export { type EventId, formatEventId, parseEventId } from './auction/eventId.ts'
export { parseIdempotencyKey } from './auction/idempotencyKey.ts'
export { isSequenceNumber } from './auction/sequence.ts'
export {
  authClockToleranceSeconds,
  type BackerAuth,
  type BackerChallenge,
  backerAuthTypedData,
  backerAuthTypes,
  formatChallenge,
  hashBackerAuth,
  parseChallenge,
} from './auth/backerAuth.ts'
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
} from './auth/readAuth.ts'
export {
  hashTakerAuth,
  isTakerProofCurrent,
  type TakerAuth,
  takerAudience,
  takerAuthTypedData,
  takerAuthTypes,
  takerProofAheadSeconds,
  takerProofLifetimeSeconds,
} from './auth/takerAuth.ts'
export { rejectionDetails } from './quote/rejection.ts'
export { explainBadSignature, recoverSigner } from './quote/signature.ts'
export { signingTypes } from './quote/signingTypes.ts'
export { parseTraceparent } from './values/traceparent.ts'

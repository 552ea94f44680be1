export { type Policy, wad } from './domain/policy.ts'
export { decodePolicy, encodePolicy, type PolicyDocument } from './domain/policyDocument.ts'
export {
  type Decline,
  type PricedQuote,
  type Pricer,
  type PricingAnswer,
  type PricingInput,
  priceRfq,
} from './domain/priceRfq.ts'

export type { BookedQuote, Curve, MarketView, RecentAuction, SeriesExposure } from './domain/marketView.ts'
export { type Policy, wad } from './domain/policy.ts'
export { decodePolicy, encodePolicy, type PolicyDocument } from './domain/policyDocument.ts'
export {
  type Decline,
  type PolicyInput,
  type PricedQuote,
  type Pricer,
  type PricingAnswer,
  type PricingInput,
  priceRfq,
  quoteAt,
} from './domain/priceRfq.ts'

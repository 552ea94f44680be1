// Query options and keys for server components. These modules import no React hooks and have no 'use client' directive.
export { PositionNotReachedError } from './errors.ts'
export { positionQuery, settledPositionsQuery } from './service/findPosition.ts'
export type { AuctionState } from './service/foldAuction.ts'
export {
  auctionQuery,
  configQuery,
  healthQuery,
  isUnknownAuction,
  poolsQuery,
  positionsQuery,
  quoteQuery,
  quotesQuery,
  rateHistoryQuery,
  recentQuery,
  type ServiceQuery,
  sizedPoolQuery,
} from './service/queries.ts'
export { queryKeys } from './service/queryKeys.ts'
export type { Pool, Series, Token } from './service/serviceContext.ts'

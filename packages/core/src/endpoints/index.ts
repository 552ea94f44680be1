// Why: docs/decisions/0003-one-record-per-endpoint.md
import { explainCancellation } from './explainCancellation.ts'
import { followAuction } from './followAuction.ts'
import { getAuction } from './getAuction.ts'
import { getAuctionLeaves } from './getAuctionLeaves.ts'
import { getAuctionProof } from './getAuctionProof.ts'
import { getConfig } from './getConfig.ts'
import { getCurrentRates } from './getCurrentRates.ts'
import { getHealth } from './getHealth.ts'
import { getMakerOutcomes } from './getMakerOutcomes.ts'
import { getMakerProof } from './getMakerProof.ts'
import { getMakerQuotes } from './getMakerQuotes.ts'
import { getMetrics } from './getMetrics.ts'
import { getPoolRates } from './getPoolRates.ts'
import { getPositions } from './getPositions.ts'
import { getQuote } from './getQuote.ts'
import { getRateHistory } from './getRateHistory.ts'
import { isAlive } from './isAlive.ts'
import { isReady } from './isReady.ts'
import { listObservations } from './listObservations.ts'
import { listQuotes } from './listQuotes.ts'
import { requestQuotes } from './requestQuotes.ts'
import { streamQuotes } from './streamQuotes.ts'
import { submitQuote } from './submitQuote.ts'

export {
  type Answer,
  type Body,
  type Endpoint,
  type EndpointAnswer,
  type Example,
  type ExampleFacts,
  endpoint,
  type Headers,
  type PathParameters,
  type Query,
} from './endpoint.ts'
export { bodyProblems, commonProblems, problemDocs, problems } from './problems.ts'

export {
  explainCancellation,
  followAuction,
  getAuction,
  getAuctionLeaves,
  getAuctionProof,
  getConfig,
  getCurrentRates,
  getHealth,
  getMakerOutcomes,
  getMakerProof,
  getMakerQuotes,
  getMetrics,
  getPoolRates,
  getPositions,
  getQuote,
  getRateHistory,
  isAlive,
  isReady,
  listObservations,
  listQuotes,
  requestQuotes,
  streamQuotes,
  submitQuote,
}

/**
 * All endpoints by id. The server matches endpoints in this order: the most frequently used first, and literal paths
 * before parameterized ones.
 */
export const endpoints = {
  submitQuote,
  listQuotes,
  getQuote,
  explainCancellation,
  requestQuotes,
  streamQuotes,
  listObservations,
  getAuction,
  followAuction,
  isReady,
  getMetrics,
  getConfig,
  getHealth,
  getPoolRates,
  getCurrentRates,
  getRateHistory,
  getPositions,
  getMakerQuotes,
  getMakerOutcomes,
  getAuctionProof,
  getAuctionLeaves,
  getMakerProof,
  isAlive,
} as const

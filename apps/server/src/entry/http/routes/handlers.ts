import type { endpoints } from '@firmquote/core/endpoints'
import type { handle } from '../handle.ts'
import { handleExplainCancellation } from './explainCancellation.ts'
import { handleFollowAuction } from './followAuction.ts'
import { handleGetAuction } from './getAuction.ts'
import { handleGetConfig } from './getConfig.ts'
import { handleGetCurrentRates } from './getCurrentRates.ts'
import { handleGetHealth } from './getHealth.ts'
import { handleGetMakerOutcomes } from './getMakerOutcomes.ts'
import { handleGetMakerQuotes } from './getMakerQuotes.ts'
import { handleGetMetrics } from './getMetrics.ts'
import { handleGetPoolRates } from './getPoolRates.ts'
import { handleGetPositions } from './getPositions.ts'
import { handleGetQuote } from './getQuote.ts'
import { handleGetRateHistory } from './getRateHistory.ts'
import { handleIsAlive } from './isAlive.ts'
import { handleIsReady } from './isReady.ts'
import { handleListObservations } from './listObservations.ts'
import { handleListQuotes } from './listQuotes.ts'
import { handleRequestQuotes } from './requestQuotes.ts'
import { handleStreamQuotes } from './streamQuotes.ts'
import { handleSubmitQuote } from './submitQuote.ts'

type Handled = { readonly [Id in keyof typeof endpoints]: ReturnType<typeof handle<(typeof endpoints)[Id]>> }

/** The handlers of all endpoints. A missing handler is a compile-time error. */
export const handlers: Handled = {
  explainCancellation: handleExplainCancellation,
  followAuction: handleFollowAuction,
  getAuction: handleGetAuction,
  getConfig: handleGetConfig,
  getCurrentRates: handleGetCurrentRates,
  getHealth: handleGetHealth,
  getMakerOutcomes: handleGetMakerOutcomes,
  getMakerQuotes: handleGetMakerQuotes,
  getMetrics: handleGetMetrics,
  getPoolRates: handleGetPoolRates,
  getPositions: handleGetPositions,
  getQuote: handleGetQuote,
  getRateHistory: handleGetRateHistory,
  isAlive: handleIsAlive,
  isReady: handleIsReady,
  listObservations: handleListObservations,
  listQuotes: handleListQuotes,
  requestQuotes: handleRequestQuotes,
  streamQuotes: handleStreamQuotes,
  submitQuote: handleSubmitQuote,
}

export { isSignedByMaker, judgeState } from '../quote/judgeState.ts'
export { healthFactor, liquidationPrice, type SecuredDebt } from '../rates/debtHealth.ts'
export { fixedDebt, type HedgingPosition } from '../rates/fixedDebt.ts'
export {
  type IndexReading,
  indexAtExpiry,
  lastReading,
  type PayablePosition,
  positionPayout,
  type SeriesIndex,
} from '../rates/positionPayout.ts'
export { multicall3Address } from './aggregate.ts'
export {
  type ContractCallLimits,
  type ContractCalls,
  type ContractSignature,
  createContractCalls,
  executionFailure,
  type PreviewQuery,
} from './contractCalls.ts'
export {
  type AccountState,
  type OpenedSeries,
  type ReadAccountParameters,
  readAccount,
  type SeriesReading,
} from './readAccount.ts'
export { createSharedState, type SharedState } from './readAtLatestBlock.ts'
export { type Capacities, readCapacities } from './readCapacities.ts'
export { readEach, readEachAt } from './readEach.ts'
export { type Funds, readFunds } from './readFunds.ts'
export type { LendingMarket, LendingTerms } from './readLendingTerms.ts'
export {
  type MarketState,
  type MarketStates,
  type ReadMarketsParameters,
  readMarkets,
} from './readMarkets.ts'
export { type MorphoLoan, readMorphoLoans } from './readMorphoLoans.ts'
export {
  type QuoteStateQuery,
  type QuoteStates,
  type ReadQuoteStatesParameters,
  readLatestBlock,
  readQuoteStates,
} from './readQuoteStates.ts'
export { readRates } from './readRates.ts'
export type { DebtSecurity, MorphoMarket } from './readSecurities.ts'
export type { LoanToken } from './readTokens.ts'

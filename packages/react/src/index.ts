export { useAtomicity } from './chain/useAtomicity.ts'
export { type ChainAccess, useBlock, useChain } from './chain/useChain.ts'
export { type ExecutabilityReading, useExecutability } from './chain/useExecutability.ts'
export { type QuoteStates, useQuoteStates } from './chain/useQuoteStates.ts'
export { type TransactionCall, type TransactionResult, useTransaction } from './chain/useTransaction.ts'
export { AccountBusyError, NotReadyError, PositionNotReachedError, TransactionReplacedError } from './errors.ts'
export { isTransactionPending, type Transaction } from './jobs/transactionOf.ts'
export { type BrowserStorage, openStorage } from './openStorage.ts'
export { FirmquoteProvider, type FirmquoteProviderProps } from './service/FirmquoteProvider.ts'
export { positionQuery, settledPositionsQuery } from './service/findPosition.ts'
export type { AuctionState } from './service/foldAuction.ts'
export { oneLine } from './service/oneLine.ts'
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
export { serverNow, useServerNow } from './service/serverClock.ts'
export { type Pool, type Series, type Service, type Token, useService } from './service/serviceContext.ts'
export { useAuction, useStartAuction } from './service/useAuction.ts'
export { usePositions } from './service/usePositions.ts'
export { type ProveTakerResult, useProveTaker } from './service/useProveTaker.ts'
export { useQuote, useQuotes } from './service/useQuotes.ts'
export { useRateHistory } from './service/useRateHistory.ts'
export { type Payment, type SettledPayout, settledPayout, withdrawnAmount } from './settling/readPayment.ts'
export type { SettleStep } from './settling/settleStep.ts'
export { type ObserveResult, useObserve } from './settling/useObserve.ts'
export { usePayment } from './settling/usePayment.ts'
export { type SettleParameters, type SettleResult, useSettle } from './settling/useSettle.ts'
export { shareOfLimit } from './taking/enforceLimit.ts'
export { secondsToSubmit, submissionWindowSeconds } from './taking/submissionWindow.ts'
export type { TakeStep } from './taking/takeStep.ts'
export {
  type Fill,
  hasTaken,
  type TakeParameters,
  type TakeResult,
  type TakeState,
  useTake,
} from './taking/useTake.ts'

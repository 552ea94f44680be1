export { useAtomicity } from './chain/useAtomicity.ts'
export { useBlock } from './chain/useBlock.ts'
export { type ChainAccess, useChain } from './chain/useChain.ts'
export { type ExecutabilityParameters, type ExecutabilityReading, useExecutability } from './chain/useExecutability.ts'
export { type QuoteStates, useQuoteStates } from './chain/useQuoteStates.ts'
export { type TransactionCall, type TransactionResult, useTransaction } from './chain/useTransaction.ts'
export { AccountBusyError, type ChainErrorType, NotReadyError, TransactionReplacedError } from './errors.ts'
export type { ActionResult, ActionStatus } from './jobs/action.ts'
export { isTransactionPending, type Transaction } from './jobs/transactionOf.ts'
export { type BrowserStorage, openStorage } from './openStorage.ts'
export * from './query.ts'
export { FirmquoteProvider, type FirmquoteProviderProps } from './service/FirmquoteProvider.ts'
export { oneLine } from './service/oneLine.ts'
export { serverNow } from './service/serverClock.ts'
export { type Service, useService } from './service/serviceContext.ts'
export { useAuction, useStartAuction } from './service/useAuction.ts'
export { usePositions } from './service/usePositions.ts'
export { type ProveTakerParameters, type ProveTakerResult, useProveTaker } from './service/useProveTaker.ts'
export { useQuote, useQuotes } from './service/useQuotes.ts'
export { useRateHistory } from './service/useRateHistory.ts'
export { useServerNow } from './service/useServerNow.ts'
export type { QueryParameter } from './service/useServiceQuery.ts'
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

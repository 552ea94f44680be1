/**
 * The examples use the exports of this package and of viem, and the following names:
 *
 * - `client`, a {@link ServiceClient} for the service at `orderbookUrl`. Backers connect to `webSocketUrl`.
 * - `chainId`, a pool's `poolId`, its `loanToken`, and the `seriesKey` or `expiry` of one of its series. `notional` is
 * the debt to fix. `request` consists of `poolId`, `seriesKey` and `notional`.
 * - A borrower's `account`, its `walletClient`, and a `publicClient` of the chain. `send` sends a call and waits for
 * the receipt: `async (call) => publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call)
 * })`.
 * - `result`, the result of an auction for that request. `best`, its first quote. `plan`, the result of {@link
 * planTakes} for the quotes in that result. `verdict`, the verdict on the plan's first take. `position`, one of the
 * borrower's positions in an expired series.
 * - A `maker`, its private `key`, its wallet client `makerWallet`, and `signer`, a {@link BackerSigner} with that key.
 * `quote`, one of the maker's quotes, and `signed`, the same quote with its signature. `socket`, the maker's {@link
 * RFQWebSocketClient}, and `rfq`, an RFQ that it received. `price` returns the maker's quote for an RFQ.
 * - `safe`, a contract that quotes, and `owner`, the account that signs for it.
 *
 * @packageDocumentation
 */

export {
  BUNDLER3_ADDRESS,
  INTEREST_RATE_POOL_ADDRESS,
  INTEREST_RATE_POOL_DEPLOY_BLOCK,
  KEEPER_BUNDLER_ADDRESS,
  PRODUCTION_DEPLOYMENT,
  QUOTE_MARKET_ADDRESS,
} from '@firmquote/addresses'
export * from '@firmquote/core'
export type { Clock } from '@firmquote/core/utils'
export { BackerSigner, type BackerSignerConfig } from './backer/backerSigner.ts'
export type { ConnectOptions, RFQWebSocketClose } from './backer/reconnectingSocket.ts'
export {
  RFQWebSocketClient,
  type RFQWebSocketEvents,
  type SubmitOptions,
  type WitnessMessage,
} from './backer/rfqWebSocketClient.ts'
export type { RFQWebSocketConfig } from './backer/rfqWebSocketConfig.ts'
export type { RFQWebSocketResumed } from './backer/statusDelivery.ts'
export type { WebSocketConstructor, WebSocketLike } from './backer/webSocketLike.ts'
export {
  type AuctionOptions,
  BorrowerClient,
  type FollowOptions,
  type PositionOptions,
  type ServiceClientOptions,
} from './borrowerClient.ts'
export type { ClientConfig, GivenConfig } from './clientConfig.ts'
export {
  AbortedError,
  AuthenticationError,
  ClientError,
  ConnectionError,
  type Delivery,
  InvalidResponseError,
  ServiceError,
  type ServiceErrorCode,
  SignerError,
  type SignerErrorCode,
  StreamError,
  TimeoutError,
  WebSocketMissingError,
} from './errors.ts'
export { type CheckExecutabilityParameters, checkExecutability } from './executability/checkExecutability.ts'
export type {
  BorrowerCheck,
  DeadlineCheck,
  Executability,
  ExecutabilityRequest,
  MakerFundsCheck,
  NonceAndStatusCheck,
  PreviewCheck,
  TermsCheck,
} from './executability/executability.ts'
export {
  approvalSteps,
  approveParameters,
  cancelQuoteParameters,
  raiseNonceParameters,
  setOperatorParameters,
  takeQuoteParameters,
} from './executability/takeQuote.ts'
export type { CallOptions } from './http/callGuard.ts'
export type { RFQAuctionEvent, StreamOptions } from './http/rfqStream.ts'
export { type ConnectWebSocketOptions, type MakerReadOptions, ServiceClient } from './serviceClient.ts'
export {
  type PlanSettlementOptions,
  planSettlement,
  type Repayment,
  type SettlementCall,
  type SettlementPlan,
} from './settling/planSettlement.ts'
export {
  type Loan,
  maxSettlements,
  type ReadSettlementParameters,
  readSettlement,
  type SettlementPosition,
  type SettlementReading,
} from './settling/readSettlement.ts'
export { type RepayCall, repaidAmount } from './settling/repayCalls.ts'
export { SettleInterruptedError, type SettleParameters, type SettleResult, settle } from './settling/settle.ts'
export {
  checkpointParameters,
  observationWindow,
  observeParameters,
  settleManyParameters,
  settleParameters,
  withdrawParameters,
} from './settling/settleParameters.ts'
export { type ProveTakerOptions, proveTaker, type TakerProof } from './taker/proveTaker.ts'
export type { PlanTakesParameters, TakeRequest } from './taking/checkPlanParameters.ts'
export { type OneTransactionParameters, oneTransaction } from './taking/oneTransaction.ts'
export { type PlannedTake, planTakes, type RefusedQuote, type TakePlan } from './taking/planTakes.ts'
export { maxVrtAmountOf, type PriceLimit } from './taking/priceLimit.ts'
export { type CallsSender, sendCalls } from './taking/sendCalls.ts'
export {
  type TakeBestParameters,
  TakeInterruptedError,
  type TakenQuote,
  type TakeResult,
  takeBest,
} from './taking/takeBest.ts'

import {
  type AccountPositions,
  type CollectedQuote,
  type CurrentRate,
  InvalidInputError,
  type PoolRates,
  type Problem,
  type QuotePage,
  quoteStatuses,
  type RFQ,
  type RFQObservation,
  type RFQRequest,
  type RFQResult,
  type RFQSummary,
  type ServiceConfig,
  type ServiceHealth,
  type SignedQuote,
  type StoredQuote,
} from '@firmquote/core'
import {
  address,
  anything,
  array,
  boolean,
  bytes32,
  nullable,
  number,
  object,
  oneOf,
  positiveUint256,
  rfqId,
  type Shape,
  signature,
  strict,
  string,
  uint256,
  unixSeconds,
} from './shape.ts'

const quoteFields = {
  maker: address,
  taker: address,
  poolId: bytes32,
  seriesKey: bytes32,
  notional: positiveUint256,
  vrtAmount: uint256,
  nonce: uint256,
  deadline: uint256,
  salt: bytes32,
}

export const signedQuoteShape: Shape<SignedQuote> = strict(object({ ...quoteFields, signature }))

const anyRequestShape = strict(
  object(
    { poolId: bytes32, notional: positiveUint256 },
    { seriesKey: bytes32, expiry: unixSeconds, maxVrtAmount: uint256, taker: address },
  ),
)

export const rfqRequestShape: Shape<RFQRequest> = (value, path) => {
  const request = anyRequestShape(value, path)
  if ((request.seriesKey === undefined) === (request.expiry === undefined)) {
    throw new InvalidInputError('must be given, or expiry instead: exactly one of the two.', { path: 'seriesKey' })
  }
  return request as RFQRequest
}

const rfqFields = {
  rfqId,
  poolId: bytes32,
  seriesKey: bytes32,
  expiry: unixSeconds,
  notional: positiveUint256,
  openedAt: number,
  closesAt: number,
}
const optionalRfqFields = { maxVrtAmount: uint256, taker: address }

export const rfqShape: Shape<RFQ> = object(rfqFields, optionalRfqFields)

export const rfqStartedShape: Shape<RFQ & { backers: number }> = object(
  { ...rfqFields, backers: number },
  optionalRfqFields,
)

export const collectedQuoteShape: Shape<CollectedQuote> = object({
  hash: bytes32,
  quote: signedQuoteShape,
  apr: number,
  receivedAt: number,
})

export const rfqResultShape: Shape<RFQResult> = object(
  {
    ...rfqFields,
    status: oneOf('open', 'closed'),
    closedAt: nullable(number),
    backers: number,
    rejectedCount: number,
    quotes: array(collectedQuoteShape),
  },
  optionalRfqFields,
)

export const rfqSummaryShape: Shape<RFQSummary> = object({
  rfqId,
  closedAt: number,
  quoteCount: number,
  rejectedCount: number,
  ranking: array(bytes32),
})

export const rfqObservationsShape: Shape<{ quotes: RFQObservation[] }> = object({
  quotes: array(
    object(
      {
        rfqId,
        hash: bytes32,
        maker: address,
        poolId: bytes32,
        seriesKey: bytes32,
        expiry: unixSeconds,
        notional: uint256,
        vrtAmount: uint256,
        apr: number,
        observedAt: number,
        executable: boolean,
      },
      { reason: string },
    ),
  ),
})

export const storedQuoteShape: Shape<StoredQuote> = object(
  {
    hash: bytes32,
    quote: object(quoteFields, { signature }),
    apr: number,
    status: oneOf(...quoteStatuses),
    createdAt: number,
  },
  {
    seenAt: object({ blockNumber: uint256, blockHash: bytes32 }, { transactionHash: bytes32 }),
    executable: boolean,
    reason: string,
    overcommitted: boolean,
    judgedAt: object({ number: uint256, hash: bytes32 }),
  },
)

export const quotePageShape: Shape<QuotePage> = object({
  quotes: array(storedQuoteShape),
  nextCursor: nullable(string),
})

export const serviceConfigShape: Shape<ServiceConfig> = object({
  apiVersion: string,
  chainId: number,
  contracts: object({ quoteMarket: address, interestRatePool: address, bundler3: address, keeperBundler: address }),
  deployBlock: number,
  eip712Domain: object({ name: string, version: string, chainId: number, verifyingContract: address }),
  auction: object({ durationMs: number, quotesPerBacker: number }),
  limits: object({
    bodyBytes: number,
    rfqsPerMinute: number,
    openRfqs: number,
    storedQuotesPerMaker: number,
    socketsPerBacker: number,
    minQuoteLifetimeSeconds: number,
    maxQuoteLifetimeSeconds: number,
  }),
})

export const serviceHealthShape: Shape<ServiceHealth> = object(
  {
    status: oneOf('ok', 'degraded', 'down'),
    database: oneOf('ok', 'down'),
    sync: object({ head: nullable(number), synced: nullable(number), lagSeconds: nullable(number) }),
    backers: object({ connected: number }),
    auctions: object({ open: number }),
    version: string,
  },
  { serverTime: number },
)

export const currentRatesShape: Shape<{ rates: CurrentRate[] }> = object({
  rates: array(
    object({
      protocol: string,
      market: bytes32,
      loanToken: address,
      ratePerSec: uint256,
      apr: number,
      apy: number,
      block: number,
    }),
  ),
})

const tokenShape = object({ address, symbol: string, decimals: number })

export const poolRatesShape: Shape<{ pools: PoolRates[] }> = object({
  pools: array(
    object(
      {
        poolId: bytes32,
        loanToken: tokenShape,
        floating: object({ ratePerSec: uint256, apr: number, apy: number }),
        series: array(
          object(
            {
              seriesKey: bytes32,
              expiry: unixSeconds,
              capacity: uint256,
              depth: object({ quotes: number, notional: uint256 }),
            },
            { bestApr: number },
          ),
        ),
      },
      { protocol: string, market: bytes32, collateral: nullable(tokenShape) },
    ),
  ),
})

export const accountPositionsShape: Shape<AccountPositions> = object({
  address,
  block: number,
  debts: array(object({ poolId: bytes32, protocol: string, market: bytes32, loanToken: address, debt: uint256 })),
  positions: array(
    object({
      positionId: uint256,
      role: oneOf('maker', 'borrower'),
      maker: address,
      borrower: address,
      poolId: bytes32,
      seriesKey: bytes32,
      expiry: unixSeconds,
      notional: uint256,
      cost: uint256,
      openedAtBlock: uint256,
    }),
  ),
})

/** A code that this version does not know stays as it is: it tells more than a stand-in. */
export const problemShape: Shape<Omit<Problem, 'code'> & { code: string }> = object(
  { type: string, title: string, status: number, detail: string, code: string, requestId: string },
  { errors: array(object({ path: string, message: string })), details: anything },
)

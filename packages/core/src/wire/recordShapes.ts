import type { Address } from 'viem'
import * as z from 'zod/mini'
import { type Code, codes } from '../rejection.ts'
import {
  type AccountPositions,
  type CurrentRate,
  type PoolRates,
  type Problem,
  type QuoteFilters,
  type QuotePage,
  quoteStatuses,
  type ServiceConfig,
  type ServiceHealth,
  type StoredQuote,
} from '../serviceRecords.ts'
import type { Shape } from './decode.ts'
import { address, bytes32, signature, uint256, unixMilliseconds, unixSeconds } from './primitives.ts'
import { quoteKeys } from './quoteShapes.ts'

/** A block number as it travels: a JSON string like every other bigint. */
const blockNumber = uint256

/** A stored quote. */
export const storedQuoteShape: Shape<StoredQuote> = /* @__PURE__ */ z.object({
  hash: bytes32,
  quote: z.object({ ...quoteKeys, signature: z.exactOptional(signature) }),
  apr: z.number(),
  status: z.enum(quoteStatuses),
  createdAt: unixMilliseconds,
  seenAt: z.exactOptional(z.object({ blockNumber, blockHash: bytes32, transactionHash: z.exactOptional(bytes32) })),
  executable: z.exactOptional(z.boolean()),
  reason: z.exactOptional(z.string()),
  overcommitted: z.exactOptional(z.boolean()),
  judgedAt: z.exactOptional(z.object({ number: blockNumber, hash: bytes32 })),
})

/** One page of stored quotes. */
export const quotePageShape: Shape<QuotePage> = /* @__PURE__ */ z.object({
  quotes: z.array(storedQuoteShape),
  nextCursor: z.nullable(z.string()),
})

const limitText = /* @__PURE__ */ z.pipe(
  z.string().check(z.regex(/^(?:[1-9][0-9]?|100)$/, 'must be a whole number from 1 to 100')),
  z.transform(Number),
)

/** The filters of `GET /quotes`, from a query string. Unknown keys are refused. */
export const quoteFiltersShape: Shape<QuoteFilters> = /* @__PURE__ */ z.strictObject({
  maker: z.exactOptional(address),
  taker: z.exactOptional(address),
  poolId: z.exactOptional(bytes32),
  seriesKey: z.exactOptional(bytes32),
  minNotional: z.exactOptional(uint256),
  maxNotional: z.exactOptional(uint256),
  sort: z.exactOptional(z.enum(['rate', 'created', 'deadline'])),
  limit: z.exactOptional(limitText),
  cursor: z.exactOptional(z.string().check(z.maxLength(256))),
})

/** The filters of `GET /rfq/quotes/recent`, from a query string. Unknown keys are refused. */
export const observationFiltersShape = /* @__PURE__ */ z.strictObject({
  poolId: z.exactOptional(bytes32),
  seriesKey: z.exactOptional(bytes32),
  limit: z.exactOptional(limitText),
})

/** A service's configuration. */
export const serviceConfigShape: Shape<ServiceConfig> = /* @__PURE__ */ z.object({
  apiVersion: z.string(),
  chainId: z.number(),
  contracts: z.object({
    quoteMarket: address,
    interestRatePool: address,
    bundler3: address,
    keeperBundler: address,
  }),
  deployBlock: z.number(),
  eip712Domain: z.object({ name: z.string(), version: z.string(), chainId: z.number(), verifyingContract: address }),
  auction: z.object({ durationMs: z.number(), quotesPerBacker: z.number() }),
  limits: z.object({
    bodyBytes: z.number(),
    rfqsPerMinute: z.number(),
    openRfqs: z.number(),
    storedQuotesPerMaker: z.number(),
    socketsPerBacker: z.number(),
    minQuoteLifetimeSeconds: z.number(),
    maxQuoteLifetimeSeconds: z.number(),
  }),
})

/** A service's health. */
export const serviceHealthShape: Shape<ServiceHealth> = /* @__PURE__ */ z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  database: z.enum(['ok', 'down']),
  sync: z.object({
    head: z.nullable(z.number()),
    synced: z.nullable(z.number()),
    lagSeconds: z.nullable(z.number()),
  }),
  backers: z.object({ connected: z.number() }),
  auctions: z.object({ open: z.number() }),
  serverTime: z.exactOptional(unixMilliseconds),
  version: z.string(),
})

/** The floating rates (`GET /rates/current`). */
export const currentRatesShape: Shape<{ rates: CurrentRate[] }> = /* @__PURE__ */ z.object({
  rates: z.array(
    z.object({
      protocol: z.string(),
      market: bytes32,
      loanToken: address,
      ratePerSec: uint256,
      apr: z.number(),
      apy: z.number(),
      block: z.number(),
    }),
  ),
})

const tokenShape = /* @__PURE__ */ z.object({ address, symbol: z.string(), decimals: z.number() })

/** The pools (`GET /pools/rates`). */
export const poolRatesShape: Shape<{ pools: PoolRates[] }> = /* @__PURE__ */ z.object({
  pools: z.array(
    z.object({
      poolId: bytes32,
      loanToken: tokenShape,
      protocol: z.exactOptional(z.string()),
      market: z.exactOptional(bytes32),
      collateral: z.exactOptional(z.nullable(tokenShape)),
      floating: z.object({ ratePerSec: uint256, apr: z.number(), apy: z.number() }),
      series: z.array(
        z.object({
          seriesKey: bytes32,
          expiry: unixSeconds,
          capacity: uint256,
          bestApr: z.exactOptional(z.number()),
          depth: z.object({ quotes: z.number(), notional: uint256 }),
        }),
      ),
    }),
  ),
})

/** The query of `GET /positions/all`. Unknown keys are refused. */
export const positionsQueryShape: Shape<{ address: Address }> = /* @__PURE__ */ z.strictObject({ address })

/** An account's debts and positions (`GET /positions/all`). */
export const accountPositionsShape: Shape<AccountPositions> = /* @__PURE__ */ z.object({
  address,
  block: z.number(),
  debts: z.array(
    z.object({ poolId: bytes32, protocol: z.string(), market: bytes32, loanToken: address, debt: uint256 }),
  ),
  positions: z.array(
    z.object({
      positionId: uint256,
      role: z.enum(['maker', 'borrower']),
      maker: address,
      borrower: address,
      poolId: bytes32,
      seriesKey: bytes32,
      expiry: unixSeconds,
      notional: uint256,
      cost: uint256,
      openedAtBlock: blockNumber,
    }),
  ),
})

/** An error of the service. A code that this version does not know reads as `INTERNAL`. */
export const problemShape: Shape<Problem> = /* @__PURE__ */ z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.catch(z.enum(codes), 'INTERNAL' satisfies Code),
  requestId: z.string(),
  errors: z.exactOptional(z.array(z.object({ path: z.string(), message: z.string() }))),
  details: z.exactOptional(z.record(z.string(), z.unknown())),
})

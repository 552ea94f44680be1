import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type {
  CurrentRate,
  PoolFilters,
  PoolRates,
  Problem,
  QuoteFilters,
  QuotePage,
  ServiceConfig,
  ServiceHealth,
  StoredQuote,
} from '../generated/wireTypes.ts'
import { quoteStatuses } from '../quoteStatus.ts'
import type { Shape } from './decode.ts'
import {
  address,
  bytes32,
  code,
  details,
  parsedText,
  positiveUint256,
  signature,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from './primitives.ts'
import { quoteKeys, unproven } from './quoteShapes.ts'
import { annotated, described, field, named } from './wireRegistry.ts'

const quoteStatus = /* @__PURE__ */ annotated(/* @__PURE__ */ z.enum(quoteStatuses), {
  type: { name: 'QuoteStatus', from: '../quoteStatus.ts' },
})

/** A stored quote. */
export const storedQuoteShape: Shape<StoredQuote> = /* @__PURE__ */ named(
  'StoredQuote',
  "A quote as it is stored: its EIP-712 digest, its rate, where it stands and, once it has ended, where that was seen on the chain. An auction's quotes show without their signature.",
  z.object({
    hash: field(bytes32, "The quote's EIP-712 digest."),
    quote: z.object({ ...quoteKeys, signature: z.exactOptional(signature) }),
    apr: field(z.number(), 'Simple APR in percent over the remaining term at the time of creation.'),
    status: quoteStatus,
    createdAt: field(unixMilliseconds, 'Unix milliseconds.'),
    unproven,
    seenAt: field(
      z.exactOptional(
        z.object({ blockNumber: uint256, blockHash: bytes32, transactionHash: z.exactOptional(bytes32) }),
      ),
      'Where its end was seen on the chain.',
    ),
    executable: field(
      z.exactOptional(z.boolean()),
      'Whether it could be taken at the block `judgedAt`, by itself. In lists only.',
    ),
    reason: field(z.exactOptional(z.string()), 'Why it could not: the code of its refusal.'),
    overcommitted: field(
      z.exactOptional(z.boolean()),
      'Whether its maker has published more than its funds (the smaller of balance and allowance) cover: each of these quotes can be taken by itself, but not all of them. In lists only.',
    ),
    judgedAt: field(
      z.exactOptional(z.object({ number: uint256, hash: bytes32 })),
      'The block that it was judged at. In lists only.',
    ),
  }),
)

/** One page of stored quotes. */
export const quotePageShape: Shape<QuotePage> = /* @__PURE__ */ named(
  'QuotePage',
  'One page of stored quotes.',
  z.object({
    quotes: z.array(storedQuoteShape),
    nextCursor: field(z.nullable(z.string()), 'Asks for the next page; null on the last one.'),
  }),
)

const limitText: Shape<number> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'number' },
    parse: (text) => (/^(?:[1-9][0-9]?|100)$/.test(text) ? Number(text) : null),
    expected: 'a whole number from 1 to 100',
  },
  { description: 'A whole number from 1 to 100.', pattern: '^(?:[1-9][0-9]?|100)$' },
)

/** The filters of `GET /quotes`, from a query string. Unknown keys are refused. */
export const quoteFiltersShape: Shape<QuoteFilters> = /* @__PURE__ */ named(
  'QuoteFilters',
  'How stored quotes are picked.',
  z.strictObject({
    maker: z.exactOptional(address),
    taker: z.exactOptional(address),
    poolId: z.exactOptional(bytes32),
    seriesKey: z.exactOptional(bytes32),
    minNotional: field(z.exactOptional(uint256), 'Raw units of the loan token.'),
    maxNotional: field(z.exactOptional(uint256), 'Raw units of the loan token.'),
    status: field(
      z.exactOptional(z.enum([...quoteStatuses, 'all'])),
      'Default `active`. Any other needs `maker`, and goes with `limit` and `cursor` alone.',
    ),
    sort: field(
      z.exactOptional(z.enum(['rate', 'created', 'deadline'])),
      '`rate`: best first; `created`: newest first; `deadline`: soonest first. Default `created`.',
    ),
    limit: field(z.exactOptional(limitText), '1 to 100, default 50.'),
    cursor: field(z.exactOptional(z.string().check(z.maxLength(256))), '`nextCursor` of the page before.'),
  }),
)

/** The filters of `GET /rfq/quotes/recent`, from a query string. Unknown keys are refused. */
export const observationFiltersShape: Shape<{ poolId?: Hex; seriesKey?: Hex; limit?: number }> =
  /* @__PURE__ */ z.strictObject({
    poolId: z.exactOptional(bytes32),
    seriesKey: z.exactOptional(bytes32),
    limit: z.exactOptional(limitText),
  })

/** What `GET /pools/rates` is asked for, from a query string. Unknown keys are refused. */
export const poolFiltersShape: Shape<PoolFilters> = /* @__PURE__ */ named(
  'PoolFilters',
  'Which pools are shown, and at which size their rates and depth are measured.',
  z.strictObject({
    poolId: z.exactOptional(bytes32),
    notional: field(
      z.exactOptional(positiveUint256),
      'The size, in raw units of the loan token; by default 1 % of what each series can still take.',
    ),
  }),
)

/** A service's configuration. */
export const serviceConfigShape: Shape<ServiceConfig> = /* @__PURE__ */ named(
  'ServiceConfig',
  'The chain, the contracts, the EIP-712 domain, how long an auction lasts, and the limits in force.',
  z.object({
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
    takerAudience: field(
      z.exactOptional(z.string()),
      "The service's public origin, which a `takerProof` is signed for: sign only if it is the one that you talk to. Services before this version leave it out.",
    ),
    auction: z.object({ durationMs: z.number(), quotesPerBacker: z.number() }),
    limits: z.object({
      bodyBytes: z.number(),
      rfqsPerMinute: z.number(),
      openRfqs: z.number(),
      storedQuotesPerMaker: z.number(),
      socketsPerBacker: z.number(),
      maxSockets: z.exactOptional(z.number()),
      pendingSockets: z.exactOptional(z.number()),
      pendingSocketsPerNetwork: z.exactOptional(z.number()),
      minQuoteLifetimeSeconds: z.number(),
      maxQuoteLifetimeSeconds: z.number(),
      minSecondsAfterClose: field(
        z.exactOptional(z.number()),
        "How many seconds an auction's quotes must outlive it. Like the next one, services before this version leave it out.",
      ),
      dustDivisor: field(
        z.exactOptional(z.number()),
        "A series' least notional is its cap divided by this, or less where the operator says so for its loan token.",
      ),
    }),
  }),
)

/** A service's health. */
export const serviceHealthShape: Shape<ServiceHealth> = /* @__PURE__ */ named(
  'ServiceHealth',
  'The health of a service, and the time of its clock.',
  z.object({
    status: z.enum(['ok', 'degraded', 'down']),
    database: z.enum(['ok', 'down']),
    sync: z.object({
      head: field(z.nullable(z.number()), 'Newest block that the node knows, or null when it cannot be read.'),
      synced: field(z.nullable(z.number()), 'Newest block whose events are in the store.'),
      lagSeconds: field(
        z.nullable(z.number()),
        "Age of the newest block that is synced, in seconds; negative where the service's clock is behind the chain.",
      ),
    }),
    backers: z.object({ connected: z.number() }),
    auctions: z.object({ open: z.number() }),
    serverTime: field(
      z.exactOptional(unixMilliseconds),
      "The service's clock, Unix milliseconds. Services before this version leave it out.",
    ),
    version: z.string(),
  }),
)

const currentRateShape: Shape<CurrentRate> = /* @__PURE__ */ named(
  'CurrentRate',
  "One lending market's floating rate.",
  z.object({
    protocol: z.string(),
    market: field(bytes32, "The market's id in its protocol."),
    loanToken: address,
    ratePerSec: field(uint256, 'WAD per second.'),
    apr: field(z.number(), 'Simple, in percent.'),
    apy: field(z.number(), 'Compounded, in percent.'),
    block: field(z.number(), 'The block it was read at.'),
  }),
)

/** The floating rates (`GET /rates/current`). */
export const currentRatesShape: Shape<{ rates: CurrentRate[] }> = /* @__PURE__ */ described(
  z.object({ rates: z.array(currentRateShape) }),
  { description: 'The floating rate of every lending market.' },
)

const tokenShape = /* @__PURE__ */ z.object({ address, symbol: z.string(), decimals: z.number() })

const poolRatesRowShape: Shape<PoolRates> = /* @__PURE__ */ named(
  'PoolRates',
  'A pool with its active series. Rates in percent, amounts in raw units of the loan token.',
  z.object({
    poolId: bytes32,
    loanToken: tokenShape,
    protocol: field(
      z.exactOptional(z.string()),
      'The lending protocol. Like the next two, services before this version leave it out.',
    ),
    market: field(z.exactOptional(bytes32), "The market's id in its protocol."),
    collateral: field(
      z.exactOptional(z.nullable(tokenShape)),
      "What borrowers put up in that market; null when there is none, or when the pool's adapter names none.",
    ),
    floating: z.object({ ratePerSec: field(uint256, 'WAD per second.'), apr: z.number(), apy: z.number() }),
    series: z.array(
      z.object({
        seriesKey: bytes32,
        expiry: field(unixSeconds, 'Unix seconds.'),
        capacity: uint256,
        minNotional: field(
          z.exactOptional(uint256),
          'The least that a request or a quote may be for. Services before this version leave it out.',
        ),
        bestApr: field(
          z.exactOptional(z.number()),
          'The best fixed rate among the quotes that `depth` counts, as of the block.',
        ),
        depth: field(
          z.object({ quotes: z.number(), notional: uint256 }),
          'Quotes of the size that is measured, from half of it to all of it, that anyone could take: published ones, and those that auctions have seen lately. One maker counts with 20 quotes in a series, and as far as its funds go.',
        ),
      }),
    ),
  }),
)

/** The pools (`GET /pools/rates`). */
export const poolRatesShape: Shape<{ pools: PoolRates[] }> = /* @__PURE__ */ described(
  z.object({ pools: z.array(poolRatesRowShape) }),
  { description: 'The pools: the lending market of each, its collateral, its floating rate and the active series.' },
)

/** An error of the service. A code that this version does not know reads as `INTERNAL`. */
export const problemShape: Shape<Problem> = /* @__PURE__ */ named(
  'Problem',
  'An error of the service (RFC 9457, `application/problem+json`). `code` is stable. The `requestId` is also in the header `X-Request-Id` and in the log.',
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    code,
    requestId: z.string(),
    errors: field(
      z.exactOptional(z.array(z.object({ path: z.string(), message: z.string() }))),
      'Where in the request the mistakes are.',
    ),
    details,
  }),
)

import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type {
  CurrentRate,
  MakerQuoteFilters,
  PageFilters,
  PoolFilters,
  PoolRates,
  Problem,
  QuoteFilters,
  QuotePage,
  ServiceConfig,
  ServiceHealth,
  StoredQuote,
} from '../generated/wireTypes.ts'
import { quoteStatuses } from '../quote/quoteStatus.ts'
import type { Shape } from './decode.ts'
import {
  address,
  bytes32,
  code,
  details,
  parsedText,
  positiveUint256,
  publicRfqId,
  signature,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from './primitives.ts'
import { quoteKeys, unproven } from './quoteShapes.ts'
import { annotated, described, field, named } from './wireRegistry.ts'

const quoteStatus = /* @__PURE__ */ annotated(/* @__PURE__ */ z.enum(quoteStatuses), {
  type: { name: 'QuoteStatus', from: '../quote/quoteStatus.ts' },
})

/** A stored quote. */
export const storedQuoteShape: Shape<StoredQuote> = /* @__PURE__ */ named(
  'StoredQuote',
  "A quote as it is stored: its EIP-712 digest, its rate, where it stands and, once it has ended, where that was seen on the chain. An auction's quotes show without their signature.",
  z.object({
    hash: field(bytes32, "The quote's EIP-712 digest."),
    quote: field(
      z.object({ ...quoteKeys, signature: z.exactOptional(signature) }),
      'The quote; those of auctions without their signature.',
    ),
    apr: field(z.number(), 'Simple APR in percent over the remaining term at the time of creation.'),
    status: field(quoteStatus, 'What has become of it.'),
    createdAt: field(unixMilliseconds, 'Unix milliseconds.'),
    rfqId: field(z.exactOptional(publicRfqId), 'The auction that has accepted it. Its maker alone is told.'),
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
    quotes: field(z.array(storedQuoteShape), 'In the order that was asked for.'),
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

const pageKeys = {
  limit: field(z.exactOptional(limitText), '1 to 100, default 50.'),
  cursor: field(z.exactOptional(z.string().check(z.maxLength(256))), '`nextCursor` of the page before.'),
}

/** Which page of a list is wanted, from a query string. Unknown keys are refused. */
export const pageFiltersShape: Shape<PageFilters> = /* @__PURE__ */ named(
  'PageFilters',
  'Which page of a list is wanted.',
  z.strictObject(pageKeys),
)

/** The filters of `GET /maker/quotes`, from a query string. Unknown keys are refused. */
export const makerQuoteFiltersShape: Shape<MakerQuoteFilters> = /* @__PURE__ */ named(
  'MakerQuoteFilters',
  "How a maker's own quotes are picked.",
  z.strictObject({ status: field(z.exactOptional(quoteStatus), 'Default: all.'), ...pageKeys }),
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
    ...pageKeys,
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

const domainKeys = {
  name: field(z.string(), "The domain's name."),
  version: field(z.string(), "The domain's version."),
  chainId: field(z.number(), "The domain's chain."),
}

const signedType = /* @__PURE__ */ z.object({
  domain: field(
    z.object({
      ...domainKeys,
      verifyingContract: field(z.exactOptional(address), 'The quote market; absent where no contract verifies it.'),
    }),
    'The EIP-712 domain.',
  ),
  type: field(z.string(), 'The EIP-712 type string, as it is hashed.'),
  purpose: field(z.exactOptional(z.string()), 'What the field `purpose` has to say, if the type has one.'),
})

/** A service's configuration. */
export const serviceConfigShape: Shape<ServiceConfig> = /* @__PURE__ */ named(
  'ServiceConfig',
  'The chain, the contracts, the EIP-712 domain, how long an auction lasts, and the limits in force.',
  z.object({
    apiVersion: field(z.string(), 'The version in the path: `v1`.'),
    chainId: field(z.number(), 'The chain whose contracts the quotes are for.'),
    contracts: field(
      z.object({
        quoteMarket: field(address, 'Executes quotes: what makers sign for and give an allowance to.'),
        interestRatePool: field(address, 'Holds the positions.'),
        bundler3: field(address, "Morpho's Bundler3, through which several calls are one transaction."),
        keeperBundler: field(address, 'Settles many positions at once.'),
      }),
      'The contracts. `docs/abi` has their ABIs.',
    ),
    deployBlock: field(z.number(), 'The block from which on the contracts have events.'),
    eip712Domain: field(
      z.object({ ...domainKeys, verifyingContract: field(address, 'The quote market.') }),
      'What a quote is signed for.',
    ),
    signing: field(
      z.exactOptional(
        z.object({
          quote: field(signedType, "A maker's quote."),
          backerAuth: field(signedType, "A backer's answer to the challenge of `/ws/rfq`."),
          readAuth: field(signedType, "A maker's authorization to read its own quotes and outcomes."),
          takerAuth: field(signedType, "A taker's proof that a request is its own."),
        }),
      ),
      'What makers and takers sign (EIP-712). Services before this version leave it out.',
    ),
    takerAudience: field(
      z.exactOptional(z.string()),
      "The service's public origin, which a `takerProof` is signed for: sign only if it is the one that you talk to. Services before this version leave it out.",
    ),
    auction: field(
      z.object({
        durationMs: field(z.number(), 'From the opening to the close, in milliseconds.'),
        quotesPerBacker: field(z.number(), 'How many quotes of one backer are accepted.'),
      }),
      'How an auction runs.',
    ),
    limits: field(
      z.object({
        bodyBytes: field(z.number(), 'The longest body of a request, and the longest frame of a socket.'),
        rfqsPerMinute: field(z.number(), 'RFQs of one client in a minute.'),
        openRfqs: field(z.number(), 'RFQs of one client that may be open at once.'),
        openAuctions: field(
          z.exactOptional(z.number()),
          'RFQs of all clients that may be open at once; half are kept for verified takers. Like the next one, services before this version leave it out.',
        ),
        takerProofsPerMinute: field(
          z.exactOptional(z.number()),
          "How many RFQs with a `takerProof` a client may send in a minute, whether or not the proof is right; it does not count those that verify it against the taker's own `rfqsPerMinute`.",
        ),
        storedQuotesPerMaker: field(z.number(), 'Active published quotes of one maker.'),
        socketsPerBacker: field(z.number(), 'Connections of one backer.'),
        maxSockets: field(
          z.exactOptional(z.number()),
          'Connections of all backers. Like the next two, services before this version leave it out.',
        ),
        pendingSockets: field(z.exactOptional(z.number()), 'Connections that have not authenticated yet.'),
        pendingSocketsPerNetwork: field(z.exactOptional(z.number()), 'Of these, connections of one network.'),
        minQuoteLifetimeSeconds: field(z.number(), 'The earliest deadline of a quote, seconds from now.'),
        maxQuoteLifetimeSeconds: field(z.number(), 'The latest deadline of a quote, seconds from now.'),
        minSecondsAfterClose: field(
          z.exactOptional(z.number()),
          "How many seconds an auction's quotes must outlive it. Like the next one, services before this version leave it out.",
        ),
        dustDivisor: field(
          z.exactOptional(z.number()),
          "A series' least notional is its cap divided by this, or less where the operator says so for its loan token.",
        ),
      }),
      'The limits that a client needs.',
    ),
  }),
)

/** A service's health. */
export const serviceHealthShape: Shape<ServiceHealth> = /* @__PURE__ */ named(
  'ServiceHealth',
  'The health of a service, and the time of its clock.',
  z.object({
    status: field(z.enum(['ok', 'degraded', 'down']), '`down` comes with status 503.'),
    database: field(z.enum(['ok', 'down']), 'Whether the store writes.'),
    sync: field(
      z.object({
        head: field(z.nullable(z.number()), 'Newest block that the node knows, or null when it cannot be read.'),
        synced: field(z.nullable(z.number()), 'Newest block whose events are in the store.'),
        lagSeconds: field(
          z.nullable(z.number()),
          "Age of the newest block that is synced, in seconds; negative where the service's clock is behind the chain.",
        ),
      }),
      'How far the chain has been read.',
    ),
    backers: field(z.object({ connected: field(z.number(), 'Authenticated connections.') }), 'The backers.'),
    auctions: field(z.object({ open: field(z.number(), 'Auctions that are open.') }), 'The auctions.'),
    serverTime: field(
      z.exactOptional(unixMilliseconds),
      "The service's clock, Unix milliseconds. Services before this version leave it out.",
    ),
    version: field(z.string(), "The service's version."),
  }),
)

const currentRateShape: Shape<CurrentRate> = /* @__PURE__ */ named(
  'CurrentRate',
  "One lending market's floating rate.",
  z.object({
    protocol: field(z.string(), 'The lending protocol.'),
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
  z.object({ rates: field(z.array(currentRateShape), 'One for each market.') }),
  { description: 'The floating rate of every lending market.' },
)

const tokenShape = /* @__PURE__ */ z.object({
  address,
  symbol: field(z.string(), 'As the token tells it.'),
  decimals: field(z.number(), 'How many raw units make a whole one: ten to the power of this.'),
})

const poolRatesRowShape: Shape<PoolRates> = /* @__PURE__ */ named(
  'PoolRates',
  'A pool with its active series. Rates in percent, amounts in raw units of the loan token.',
  z.object({
    poolId: bytes32,
    loanToken: field(tokenShape, 'The token that is owed, and that quotes are in.'),
    protocol: field(
      z.exactOptional(z.string()),
      'The lending protocol. Like the next two, services before this version leave it out.',
    ),
    market: field(z.exactOptional(bytes32), "The market's id in its protocol."),
    collateral: field(
      z.exactOptional(z.nullable(tokenShape)),
      "What borrowers put up in that market; null when there is none, or when the pool's adapter names none.",
    ),
    floating: field(
      z.object({
        ratePerSec: field(uint256, 'WAD per second.'),
        apr: field(z.number(), 'Simple, in percent.'),
        apy: field(z.number(), 'Compounded, in percent.'),
      }),
      "The lending market's floating rate.",
    ),
    series: field(
      z.array(
        z.object({
          seriesKey: bytes32,
          expiry: field(unixSeconds, 'Unix seconds.'),
          capacity: field(uint256, 'What the series can still take, in raw units of the loan token.'),
          minNotional: field(
            z.exactOptional(uint256),
            'The least that a request or a quote may be for. Services before this version leave it out.',
          ),
          bestApr: field(
            z.exactOptional(z.number()),
            'The best fixed rate among the quotes that `depth` counts, as of the block.',
          ),
          depth: field(
            z.object({
              quotes: field(z.number(), 'How many.'),
              notional: field(uint256, 'Together, in raw units of the loan token.'),
            }),
            'Quotes of the size that is measured, from half of it to all of it, that anyone could take: published ones, and those that auctions have seen lately. One maker counts with 20 quotes in a series, and as far as its funds go.',
          ),
        }),
      ),
      'The active series, soonest first.',
    ),
  }),
)

/** The pools (`GET /pools/rates`). */
export const poolRatesShape: Shape<{ pools: PoolRates[] }> = /* @__PURE__ */ described(
  z.object({ pools: field(z.array(poolRatesRowShape), 'One for each pool.') }),
  { description: 'The pools: the lending market of each, its collateral, its floating rate and the active series.' },
)

/** An error of the service. A code that this version does not know reads as `INTERNAL`. */
export const problemShape: Shape<Problem> = /* @__PURE__ */ named(
  'Problem',
  'An error of the service (RFC 9457, `application/problem+json`). `code` is stable. The `requestId` is also in the header `X-Request-Id` and in the log.',
  z.object({
    type: field(z.string(), 'A URI of the kind of the problem.'),
    title: field(z.string(), 'The kind of the problem, in words.'),
    status: field(z.number(), 'The HTTP status.'),
    detail: field(z.string(), 'What is wrong, in a sentence.'),
    code,
    requestId: field(z.string(), 'The id of the request.'),
    docs: field(
      z.exactOptional(z.string()),
      "What the code means and what to do: a URI reference on the service's own origin. Services before this version leave it out.",
    ),
    errors: field(
      z.exactOptional(
        z.array(
          z.object({
            path: field(z.string(), 'Dotted keys: `quote.notional`.'),
            message: field(z.string(), 'What is wrong there.'),
          }),
        ),
      ),
      'Where in the request the mistakes are.',
    ),
    details,
  }),
)

import type { Hex } from 'viem'
import * as z from 'zod/mini'
import type {
  CurrentRate,
  Halt,
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
  'A stored quote with its EIP-712 digest, rate and status and, once it has ended, the on-chain event that ended it. Quotes from auctions have no signature.',
  z.object({
    hash: field(bytes32, "The quote's EIP-712 digest."),
    quote: field(
      z.object({ ...quoteKeys, signature: z.exactOptional(signature) }),
      'The quote. Quotes from auctions have no signature.',
    ),
    apr: field(
      z.number(),
      'Simple APR in percent over the remaining term, as of the response. For a quote that has ended, as of its creation.',
    ),
    effectiveApy: field(
      z.exactOptional(z.nullable(z.number())),
      'Effective APY in percent, as of the same time as `apr`: the floating APY at which fixing costs as much as floating. Null if there is no such rate. Absent until the service has synced the series. Older services omit it.',
    ),
    status: field(quoteStatus, 'The current status of the quote.'),
    createdAt: field(unixMilliseconds, 'Unix milliseconds.'),
    rfqId: field(z.exactOptional(publicRfqId), 'The auction that accepted the quote. Shown to its maker only.'),
    unproven,
    seenAt: field(
      z.exactOptional(
        z.object({ blockNumber: uint256, blockHash: bytes32, transactionHash: z.exactOptional(bytes32) }),
      ),
      'The on-chain event that ended the quote.',
    ),
    executable: field(
      z.exactOptional(z.boolean()),
      'Whether the quote, considered alone, is executable at the block `judgedAt`. Only in lists.',
    ),
    reason: field(z.exactOptional(z.string()), 'The rejection code, if not executable.'),
    overcommitted: field(
      z.exactOptional(z.boolean()),
      "Whether the maker's published quotes exceed its funds (the lesser of balance and allowance). Each of them can be taken, but not all of them. Only in lists.",
    ),
    judgedAt: field(
      z.exactOptional(z.object({ number: uint256, hash: bytes32 })),
      'The block of the check. Only in lists.',
    ),
  }),
)

/** A page of stored quotes. */
export const quotePageShape: Shape<QuotePage> = /* @__PURE__ */ named(
  'QuotePage',
  'A page of stored quotes.',
  z.object({
    quotes: field(z.array(storedQuoteShape), 'In the requested order.'),
    nextCursor: field(z.nullable(z.string()), 'The cursor of the next page, or null on the last page.'),
  }),
)

const limitText: Shape<number> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'number' },
    parse: (text) => (/^(?:[1-9][0-9]?|100)$/.test(text) ? Number(text) : null),
    expected: 'an integer from 1 to 100',
  },
  { description: 'An integer from 1 to 100.', pattern: '^(?:[1-9][0-9]?|100)$' },
)

const pageKeys = {
  limit: field(z.exactOptional(limitText), '1 to 100, default 50.'),
  cursor: field(z.exactOptional(z.string().check(z.maxLength(256))), '`nextCursor` of the previous page.'),
}

/** Selects a page of a list, in a query string. Unknown keys are rejected. */
export const pageFiltersShape: Shape<PageFilters> = /* @__PURE__ */ named(
  'PageFilters',
  'Selects a page of a list.',
  z.strictObject(pageKeys),
)

/** The filters of `GET /maker/quotes`, in a query string. Unknown keys are rejected. */
export const makerQuoteFiltersShape: Shape<MakerQuoteFilters> = /* @__PURE__ */ named(
  'MakerQuoteFilters',
  "Filters a maker's own quotes.",
  z.strictObject({ status: field(z.exactOptional(quoteStatus), 'Default: all.'), ...pageKeys }),
)

/** The filters of `GET /quotes`, in a query string. Unknown keys are rejected. */
export const quoteFiltersShape: Shape<QuoteFilters> = /* @__PURE__ */ named(
  'QuoteFilters',
  'Filters stored quotes.',
  z.strictObject({
    maker: z.exactOptional(address),
    taker: z.exactOptional(address),
    poolId: z.exactOptional(bytes32),
    seriesKey: z.exactOptional(bytes32),
    minNotional: field(z.exactOptional(uint256), 'Raw units of the loan token.'),
    maxNotional: field(z.exactOptional(uint256), 'Raw units of the loan token.'),
    status: field(
      z.exactOptional(z.enum([...quoteStatuses, 'all'])),
      'Default `active`. Any other status requires `maker`, and apart from that allows only `limit` and `cursor`.',
    ),
    sort: field(
      z.exactOptional(z.enum(['rate', 'created', 'deadline'])),
      '`rate` (best first: within a series by exact price, across series by effective APY as of the first page), `created` (newest first) or `deadline` (earliest first). Default `created`.',
    ),
    ...pageKeys,
  }),
)

/** The filters of `GET /rfq/quotes/recent`, in a query string. Unknown keys are rejected. */
export const observationFiltersShape: Shape<{ poolId?: Hex; seriesKey?: Hex; limit?: number }> =
  /* @__PURE__ */ z.strictObject({
    poolId: z.exactOptional(bytes32),
    seriesKey: z.exactOptional(bytes32),
    limit: z.exactOptional(limitText),
  })

/** The filters of `GET /pools/rates`, in a query string. Unknown keys are rejected. */
export const poolFiltersShape: Shape<PoolFilters> = /* @__PURE__ */ named(
  'PoolFilters',
  'Selects pools and the size for which rates and depth are measured.',
  z.strictObject({
    poolId: z.exactOptional(bytes32),
    notional: field(
      z.exactOptional(positiveUint256),
      "The size, in raw units of the loan token. Default: 1 % of each series' remaining capacity.",
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
      verifyingContract: field(
        z.exactOptional(address),
        'The quote market. Absent if no contract verifies the signature.',
      ),
    }),
    'The EIP-712 domain.',
  ),
  type: field(z.string(), 'The EIP-712 type string.'),
  purpose: field(z.exactOptional(z.string()), 'The required value of the `purpose` field, if the type has one.'),
})

/** A service's configuration. */
export const serviceConfigShape: Shape<ServiceConfig> = /* @__PURE__ */ named(
  'ServiceConfig',
  'Chain, contracts, EIP-712 domain, auction parameters and limits.',
  z.object({
    apiVersion: field(z.string(), 'The version in the path: `v1`.'),
    chainId: field(z.number(), 'The chain of the contracts.'),
    contracts: field(
      z.object({
        quoteMarket: field(
          address,
          'Executes quotes. Makers sign for this contract and approve it to spend their tokens.',
        ),
        interestRatePool: field(address, 'Holds the positions.'),
        bundler3: field(address, "Morpho's Bundler3, which combines several calls into one transaction."),
        keeperBundler: field(address, 'Settles many positions in one call.'),
      }),
      'The contracts. Their ABIs are in `docs/abi`.',
    ),
    deployBlock: field(z.number(), 'The first block that contains events of the contracts.'),
    eip712Domain: field(
      z.object({ ...domainKeys, verifyingContract: field(address, 'The quote market.') }),
      'The EIP-712 domain of quotes.',
    ),
    signing: field(
      z.exactOptional(
        z.object({
          quote: field(signedType, "A maker's quote."),
          backerAuth: field(signedType, "A backer's response to the `/ws/rfq` challenge."),
          readAuth: field(signedType, "A maker's authorization to read its own quotes and outcomes."),
          takerAuth: field(signedType, "A taker's proof that it is the sender of a request."),
          takerRecordAuth: field(
            z.exactOptional(signedType),
            'The same, for a request with `shareRecord`. Older services omit it.',
          ),
        }),
      ),
      'The EIP-712 types that makers and takers sign. Older services omit it.',
    ),
    takerAudience: field(
      z.exactOptional(z.string()),
      "The service's public origin, which is the audience of a `takerProof`. Sign only if it is the origin that you connect to. Older services omit it.",
    ),
    auction: field(
      z.object({
        durationMs: field(z.number(), 'Time from opening to close, in milliseconds.'),
        quotesPerBacker: field(z.number(), 'Maximum number of accepted quotes per backer.'),
      }),
      'The auction parameters.',
    ),
    proofs: field(
      z.exactOptional(
        z.object({
          origin: field(z.string(), "The log's origin, which checkpoints and receipts name."),
          url: field(z.string(), "The log's path on this service, such as `/log/1`."),
          key: field(z.string(), "The log's public key, as `name+id+base64` (c2sp.org/signed-note)."),
          signers: field(z.array(address), 'The accounts that sign receipts. Each is an entry of the log.'),
          promiseSeconds: field(z.number(), "Seconds after an auction's end within which the log has its close."),
        }),
      ),
      'The log that makes auctions provable. Absent if the service has none.',
    ),
    limits: field(
      z.object({
        bodyBytes: field(z.number(), 'Maximum size of a request body and of a WebSocket frame, in bytes.'),
        rfqsPerMinute: field(z.number(), 'RFQs per client per minute.'),
        openRfqs: field(z.number(), 'Maximum number of concurrently open RFQs per client.'),
        openAuctions: field(
          z.exactOptional(z.number()),
          'Maximum number of concurrently open RFQs across all clients. Half are reserved for verified takers. Older services omit this and the next field.',
        ),
        takerProofsPerMinute: field(
          z.exactOptional(z.number()),
          "RFQs with a `takerProof` per client per minute, whether or not the proof is valid. An RFQ whose taker is verified counts against the taker's own `rfqsPerMinute` instead.",
        ),
        storedQuotesPerMaker: field(z.number(), 'Maximum number of active published quotes per maker.'),
        socketsPerBacker: field(z.number(), 'Maximum number of connections per backer.'),
        maxSockets: field(
          z.exactOptional(z.number()),
          'Maximum number of connections across all backers. Older services omit this and the next two fields.',
        ),
        pendingSockets: field(z.exactOptional(z.number()), 'Maximum number of unauthenticated connections.'),
        pendingSocketsPerNetwork: field(
          z.exactOptional(z.number()),
          'Maximum number of unauthenticated connections per network.',
        ),
        minQuoteLifetimeSeconds: field(z.number(), 'The earliest allowed deadline of a quote, in seconds from now.'),
        maxQuoteLifetimeSeconds: field(z.number(), 'The latest allowed deadline of a quote, in seconds from now.'),
        minSecondsAfterClose: field(
          z.exactOptional(z.number()),
          "Seconds between an auction's close and the earliest deadline of its quotes. Older services omit this and the next field.",
        ),
        dustDivisor: field(
          z.exactOptional(z.number()),
          "A series' minimum notional is its cap divided by this number. The operator may set a lower minimum per loan token.",
        ),
      }),
      'The limits that apply to clients.',
    ),
  }),
)

const haltKeys = {
  scope: field(
    z.string(),
    'What is halted: all new RFQs (`rfqs`), the `pool` or the `series`. Newer services may send other scopes.',
  ),
  since: field(unixMilliseconds, 'Unix milliseconds.'),
  message: field(z.exactOptional(z.string()), "The operator's message to borrowers, as plain text."),
}

const haltShape: Shape<Halt> = /* @__PURE__ */ named(
  'Halt',
  "An operator's halt. It refuses new RFQs with `MARKET_HALTED`. The halt of a pool or series also refuses its new published quotes, and hides the others.",
  z.object(haltKeys),
)

/** A service's health. */
export const serviceHealthShape: Shape<ServiceHealth> = /* @__PURE__ */ named(
  'ServiceHealth',
  'The health of a service and the time on its clock.',
  z.object({
    status: field(z.enum(['ok', 'degraded', 'down']), '`down` comes with status 503.'),
    database: field(z.enum(['ok', 'down']), 'Whether the store accepts writes.'),
    sync: field(
      z.object({
        head: field(z.nullable(z.number()), 'The latest block on the node, or null if the node is unavailable.'),
        synced: field(z.nullable(z.number()), 'The latest block whose events are in the store.'),
        lagSeconds: field(
          z.nullable(z.number()),
          "Age of the latest synced block, in seconds. Negative if the service's clock is behind the chain's.",
        ),
      }),
      'Chain sync progress.',
    ),
    node: field(
      z.exactOptional(
        z.object({
          name: field(z.string(), "The host name in the node's URL. Nodes with the same host name are numbered."),
          preferred: field(z.boolean(), 'Whether it is the first one in `RPC_URL`.'),
          reason: field(
            z.string(),
            'Why it is in use: `preferred`, or why the service left the node before it, such as `silent`, `limited`, `garbage`, `slow`, `behind` or `conflicting`. `disagreement` if the nodes have different finalized blocks.',
          ),
        }),
      ),
      'The chain node in use. Older services omit it.',
    ),
    backers: field(z.object({ connected: field(z.number(), 'Authenticated connections.') }), 'The backers.'),
    auctions: field(z.object({ open: field(z.number(), 'Open auctions.') }), 'The auctions.'),
    halts: field(
      z.exactOptional(
        z.array(
          z.object({
            ...haltKeys,
            poolId: field(z.exactOptional(bytes32), 'The pool, if it is halted.'),
            seriesKey: field(z.exactOptional(bytes32), 'The series, if it is halted.'),
          }),
        ),
      ),
      "The operator's halts, oldest first. Absent without any.",
    ),
    log: field(
      z.exactOptional(
        z.object({
          size: field(z.number(), 'Number of entries in the newest checkpoint.'),
          publishedAt: field(unixMilliseconds, 'When it was committed, in Unix milliseconds.'),
        }),
      ),
      'The log of provable auctions. Absent if the service has none, or has published no checkpoint.',
    ),
    serverTime: field(
      z.exactOptional(unixMilliseconds),
      "The service's clock, Unix milliseconds. Older services omit it.",
    ),
    clock: field(
      z.exactOptional(
        z.object({
          offsetMs: field(
            z.number(),
            "Milliseconds that the service's time is ahead of its database's clock, or of its machine's without a shared database. Not zero after a step of that clock.",
          ),
        }),
      ),
      "The service's clock. Older services omit it.",
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
    block: field(z.number(), 'The block at which the rate was read.'),
  }),
)

/** The floating rates (`GET /rates/current`). */
export const currentRatesShape: Shape<{ rates: CurrentRate[] }> = /* @__PURE__ */ described(
  z.object({ rates: field(z.array(currentRateShape), 'One entry per market.') }),
  { description: 'The floating rate of every lending market.' },
)

const tokenShape = /* @__PURE__ */ z.object({
  address,
  symbol: field(z.string(), "The token's own symbol, cut after 32 characters."),
  decimals: field(z.number(), "The token's decimals."),
})

const poolRatesRowShape: Shape<PoolRates> = /* @__PURE__ */ named(
  'PoolRates',
  'A pool with its active series. Rates are in percent, and amounts in raw units of the loan token.',
  z.object({
    poolId: bytes32,
    loanToken: field(tokenShape, 'The token in which debts and quotes are denominated.'),
    protocol: field(
      z.exactOptional(z.string()),
      'The lending protocol. Older services omit this and the next two fields.',
    ),
    market: field(z.exactOptional(bytes32), "The market's id in its protocol."),
    collateral: field(
      z.exactOptional(z.nullable(tokenShape)),
      "The collateral token of the market. Null if there is none, or if the pool's adapter does not report it.",
    ),
    lltv: field(
      z.exactOptional(uint256),
      "The share of the collateral's value that may be borrowed, in WAD. Absent without a collateral. Older services omit this and the next field.",
    ),
    utilization: field(
      z.exactOptional(z.number()),
      "The share of the market's supply that is borrowed, in percent, as of the market's last accrual.",
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
          capacity: field(uint256, 'Remaining capacity, in raw units of the loan token.'),
          minNotional: field(
            z.exactOptional(uint256),
            'The minimum notional of a request or a quote. Older services omit it.',
          ),
          bestApr: field(
            z.exactOptional(z.number()),
            'The best fixed rate among the quotes that `depth` counts, as of the block.',
          ),
          bestEffectiveApy: field(
            z.exactOptional(z.nullable(z.number())),
            'Effective APY in percent of the quote with `bestApr`, as of the block, or null if there is none. Older services omit it.',
          ),
          depth: field(
            z.object({
              quotes: field(z.number(), 'Number of quotes.'),
              notional: field(uint256, 'Total notional, in raw units of the loan token.'),
            }),
            "Published quotes and quotes from recent auctions that anyone can take and whose notional is between half of the measured size and the full size. At most 20 quotes per maker and series are counted, up to the maker's funds.",
          ),
          halted: field(
            z.exactOptional(haltShape),
            'The halt that refuses new RFQs: of all RFQs, the pool or the series, in this order. Absent without one.',
          ),
        }),
      ),
      'The active series, earliest expiry first.',
    ),
  }),
)

/** The pools (`GET /pools/rates`). */
export const poolRatesShape: Shape<{ pools: PoolRates[] }> = /* @__PURE__ */ described(
  z.object({ pools: field(z.array(poolRatesRowShape), 'One entry per pool.') }),
  { description: 'The pools, each with its lending market, collateral, floating rate and active series.' },
)

/** An error response from the service. Codes unknown to this version are decoded as `INTERNAL`. */
export const problemShape: Shape<Problem> = /* @__PURE__ */ named(
  'Problem',
  'An error response from the service (RFC 9457, `application/problem+json`). `code` is stable. The `requestId` also appears in the `X-Request-Id` header and in the log.',
  z.object({
    type: field(z.string(), 'A URI that identifies the problem type.'),
    title: field(z.string(), 'The problem type, as text.'),
    status: field(z.number(), 'The HTTP status.'),
    detail: field(z.string(), 'A description of the error.'),
    code,
    requestId: field(z.string(), 'The id of the request.'),
    docs: field(
      z.exactOptional(z.string()),
      "The documentation of the code, as a URI reference relative to the service's own origin. Older services omit it.",
    ),
    errors: field(
      z.exactOptional(
        z.array(
          z.object({
            path: field(z.string(), 'Dotted keys: `quote.notional`.'),
            message: field(z.string(), 'What is wrong with the value.'),
          }),
        ),
      ),
      'The invalid parts of the request.',
    ),
    details,
  }),
)

import type { Code } from '@firmquote/core'
import { bytes32, observationFiltersShape, positionsQueryShape, quoteFiltersShape, rfqId } from '@firmquote/core/wire'
import type * as z from 'zod/mini'
import type { SchemaName } from './componentSchemas.ts'
import { type ExampleFacts, passedHash, passedQuote } from './exampleFacts.ts'

type Answer = { description: string; schema?: SchemaName; mediaType?: string; headers?: readonly string[] }

/** One value of a request that can be sent as it stands. */
export type Example = { summary: string; value: unknown }

/** One method of one endpoint, as the document describes it. */
export type Operation = {
  id: string
  method: 'get' | 'post' | 'delete'
  /** Under `/api/v1` unless `root` says otherwise. */
  path: string
  root?: true
  tag: 'Quotes' | 'Auctions' | 'Markets' | 'Service'
  summary: string
  description?: string
  query?: z.core.$ZodType
  parameters?: Record<string, z.core.$ZodType>
  body?: SchemaName
  answers: Record<number, Answer>
  /** What may go wrong, besides what may go wrong everywhere. */
  problems: readonly Code[]
  /** Examples by parameter name; the body's under `body`. */
  examples?: (facts: ExampleFacts) => Record<string, Record<string, Example>>
}

/** What every endpoint may answer. */
export const commonProblems = ['INVALID_REQUEST', 'OVERLOADED', 'INTERNAL'] as const satisfies readonly Code[]

const bodyProblems = ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const
const readProblems = ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'] as const
const openProblems = [
  ...bodyProblems,
  'POOL_NOT_FOUND',
  'SERIES_NOT_FOUND',
  'SERIES_EXPIRED',
  'TOO_MANY_OPEN',
  'RATE_LIMITED',
  'CHAIN_UNAVAILABLE',
] as const

const json = (schema: SchemaName, description: string): Answer => ({ schema, description })

const hashExamples = ({ listed }: ExampleFacts) => ({
  hash: {
    ...(listed && { listed: { summary: 'The newest listed quote', value: listed.hash } }),
    unknown: { summary: 'A quote that this service does not have', value: passedHash },
  },
})

const requestExamples = ({ poolId, expiry, account }: ExampleFacts) => ({
  body: {
    nextSeries: { summary: "The pool's next series, for anyone", value: { poolId, expiry, notional: '1000000000' } },
    capped: {
      summary: 'At most so much, for one account alone',
      value: { poolId, expiry, notional: '1000000000', maxVrtAmount: '50000000', taker: account },
    },
  },
})

/** The API, one entry a method; a test holds it against the routes. */
export const operations: readonly Operation[] = [
  {
    id: 'submitQuote',
    method: 'post',
    path: '/quotes',
    tag: 'Quotes',
    summary: 'Publish a signed quote',
    description:
      'The quote is checked as the contract would check it, at one block. What cannot be checked is not accepted. The same quote again is answered with 200.',
    body: 'SignedQuote',
    answers: {
      200: json('StoredQuote', 'It was there already.'),
      201: { ...json('StoredQuote', 'It is on disk and listed.'), headers: ['Location'] },
    },
    problems: [
      ...bodyProblems,
      ...readProblems,
      'DEADLINE_PASSED',
      'DEADLINE_TOO_SOON',
      'DEADLINE_TOO_FAR',
      'BAD_SIGNATURE',
      'NONCE_MISMATCH',
      'QUOTE_CANCELLED',
      'QUOTE_FILLED',
      'POOL_NOT_FOUND',
      'SERIES_NOT_FOUND',
      'SERIES_EXPIRED',
      'CAPACITY_EXCEEDED',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_ALLOWANCE',
      'NOT_EXECUTABLE',
      'TOO_MANY_OPEN',
    ],
    examples: ({ listed }) => ({
      body: {
        ...(listed && { listed: { summary: 'A quote that is listed already: 200', value: listed.quote } }),
        passed: { summary: 'A quote whose deadline has passed: 422', value: passedQuote },
      },
    }),
  },
  {
    id: 'listQuotes',
    method: 'get',
    path: '/quotes',
    tag: 'Quotes',
    summary: 'List active quotes',
    description:
      'Without those that are over at the newest block. Each says whether the contract would let it be taken (`executable`, or why not in `reason`) and whether its maker has promised more than it has (`overcommitted`). `sort` is `rate` (best first), `created` (newest first, the default) or `deadline` (soonest first); `limit` is 1 to 100, 50 unless given; `cursor` is the `nextCursor` of the page before.',
    query: quoteFiltersShape,
    answers: { 200: json('QuotePage', 'One page of quotes.') },
    problems: readProblems,
    examples: ({ poolId, account }) => ({
      maker: { nobody: { summary: 'An account', value: account } },
      poolId: { pool: { summary: 'A pool', value: poolId } },
      minNotional: { least: { summary: 'At least so much', value: '1000' } },
      sort: { rate: { summary: 'Best first', value: 'rate' } },
      limit: { ten: { summary: 'At most ten', value: '10' } },
    }),
  },
  {
    id: 'getQuote',
    method: 'get',
    path: '/quotes/{hash}',
    tag: 'Quotes',
    summary: 'Read one quote and where it stands',
    parameters: { hash: bytes32 },
    answers: { 200: json('StoredQuote', 'The quote.') },
    problems: [...readProblems, 'QUOTE_NOT_FOUND'],
    examples: hashExamples,
  },
  {
    id: 'explainCancellation',
    method: 'delete',
    path: '/quotes/{hash}',
    tag: 'Quotes',
    summary: 'Learn how to cancel a quote on-chain',
    description:
      'Always 405: only its maker can end a quote, on the chain. `details` has the contract (`to`) and the calldata of `raiseNonce` and, where the quote is known, of `cancelQuote`.',
    parameters: { hash: bytes32 },
    answers: {},
    problems: ['METHOD_NOT_ALLOWED'],
    examples: hashExamples,
  },
  {
    id: 'requestQuotes',
    method: 'post',
    path: '/rfq/quote',
    tag: 'Auctions',
    summary: 'Open an auction and wait for its quotes',
    description:
      'Asks every connected backer and answers at the close with all quotes, best first. The `rfqId` opens the result to whoever knows it: keep it to yourself.',
    body: 'RFQRequest',
    answers: { 200: json('RFQResult', 'The closed auction.') },
    problems: openProblems,
    examples: requestExamples,
  },
  {
    id: 'streamQuotes',
    method: 'post',
    path: '/rfq/quote/stream',
    tag: 'Auctions',
    summary: 'Open an auction and watch it',
    description:
      'Server-sent events: one `started`, any number of `quote`, one `done`, or an `error` if the server has to stop. `/asyncapi.json` describes the events. Errors before the auction opens are answered as usual.',
    body: 'RFQRequest',
    answers: { 200: { description: 'The events, until the close.', mediaType: 'text/event-stream' } },
    problems: openProblems,
    examples: requestExamples,
  },
  {
    id: 'getAuction',
    method: 'get',
    path: '/rfq/{rfqId}',
    tag: 'Auctions',
    summary: "Read an auction's result again",
    description: 'For whoever knows the id that the borrower got; also while the auction is open.',
    parameters: { rfqId },
    answers: { 200: json('RFQResult', 'The auction so far, or its result.') },
    problems: ['RFQ_NOT_FOUND', 'STORAGE_UNAVAILABLE'],
    examples: () => ({
      rfqId: { unknown: { summary: 'An auction that never was', value: '0123456789abcdef0123456789abcdef' } },
    }),
  },
  {
    id: 'listObservations',
    method: 'get',
    path: '/rfq/quotes/recent',
    tag: 'Auctions',
    summary: 'See what was quoted in auctions lately',
    query: observationFiltersShape,
    answers: { 200: json('RFQObservations', 'Observations, newest first.') },
    problems: readProblems,
    examples: ({ poolId }) => ({
      poolId: { pool: { summary: 'A pool', value: poolId } },
      limit: { ten: { summary: 'At most ten', value: '10' } },
    }),
  },
  {
    id: 'getPoolRates',
    method: 'get',
    path: '/pools/rates',
    tag: 'Markets',
    summary: 'The pools: floating rates, active series, and what can be fixed in each',
    description: 'Depth and best rate count quotes that can be taken, once each.',
    answers: { 200: json('PoolRates', 'Every pool.') },
    problems: readProblems,
  },
  {
    id: 'getCurrentRates',
    method: 'get',
    path: '/rates/current',
    tag: 'Markets',
    summary: 'The floating rate of every lending market',
    description: '`ratePerSec` is WAD per second; `apr` (simple) and `apy` (compounded) are percent.',
    answers: { 200: json('CurrentRates', 'One row a market.') },
    problems: readProblems,
  },
  {
    id: 'getPositions',
    method: 'get',
    path: '/positions/all',
    tag: 'Markets',
    summary: "An account's variable-rate debts and open fixed positions",
    query: positionsQueryShape,
    answers: { 200: json('AccountPositions', 'Debts and positions, at one block.') },
    problems: readProblems,
    examples: ({ account }) => ({ address: { account: { summary: 'An account', value: account } } }),
  },
  {
    id: 'getConfig',
    method: 'get',
    path: '/config',
    tag: 'Service',
    summary: 'What this service serves',
    answers: { 200: json('ServiceConfig', 'Chain, contracts, limits.') },
    problems: [],
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/health',
    tag: 'Service',
    summary: 'How the service is',
    answers: {
      200: json('ServiceHealth', 'It works.'),
      503: json('ServiceHealth', 'It cannot do its work.'),
    },
    problems: [],
  },
  {
    id: 'isAlive',
    method: 'get',
    path: '/livez',
    root: true,
    tag: 'Service',
    summary: 'Whether the process answers',
    answers: { 200: { description: 'It does.' } },
    problems: [],
  },
  {
    id: 'isReady',
    method: 'get',
    path: '/readyz',
    root: true,
    tag: 'Service',
    summary: 'Whether the service takes new work',
    description: 'The database answers, the first sync is done and the newest known block is not too old.',
    answers: { 200: { description: 'It does.' } },
    problems: readProblems,
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    root: true,
    tag: 'Service',
    summary: 'What Prometheus collects',
    answers: { 200: { description: 'Counters, gauges and histograms in the text format of Prometheus.' } },
    problems: [],
  },
]

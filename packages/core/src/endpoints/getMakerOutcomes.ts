import * as z from 'zod/mini'
import type { MakerOutcome, MakerOutcomePage } from '../generated/wireTypes.ts'
import {
  bytes32,
  pageFiltersShape,
  publicRfqId,
  quoteOutcome,
  type Shape,
  uint256,
  unixMilliseconds,
  unixSeconds,
} from '../wire/index.ts'
import { field, named } from '../wire/wireRegistry.ts'
import { endpoint } from './endpoint.ts'
import { makerProblems } from './getMakerQuotes.ts'

const makerOutcomeShape: Shape<MakerOutcome> = /* @__PURE__ */ named(
  'MakerOutcome',
  "A maker's outcome in a closed auction that accepted its quote.",
  z.object({
    rfqId: publicRfqId,
    poolId: bytes32,
    seriesKey: bytes32,
    expiry: field(unixSeconds, 'Expiry of the series, Unix seconds.'),
    notional: field(uint256, 'The requested notional, in raw units of the loan token.'),
    closedAt: field(unixMilliseconds, 'Unix milliseconds.'),
    quoteCount: field(z.number(), 'Number of quotes in the result.'),
    outcome: quoteOutcome,
    hash: field(bytes32, "The maker's quote."),
  }),
)

const answerShape: Shape<MakerOutcomePage> = /* @__PURE__ */ named(
  'MakerOutcomePage',
  'A page of outcomes.',
  z.object({
    outcomes: field(z.array(makerOutcomeShape), 'Newest first.'),
    nextCursor: field(z.nullable(z.string()), 'The cursor of the next page, or null on the last page.'),
  }),
)

export const getMakerOutcomes = /* @__PURE__ */ endpoint({
  id: 'getMakerOutcomes',
  method: 'get',
  path: '/maker/outcomes',
  tag: 'Makers',
  summary: "List a maker's auction outcomes",
  description:
    'Lists the closed auctions that accepted a quote from the maker, newest first. A page may contain fewer than `limit` entries. `nextCursor` is null on the last page.',
  authorization: true,
  query: pageFiltersShape,
  answers: { 200: { description: 'A page of outcomes.', shape: answerShape } },
  problems: makerProblems,
  examples: () => ({ limit: { ten: { summary: 'At most ten', value: '10' } } }),
})

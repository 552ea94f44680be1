import * as z from 'zod/mini'
import type {
  FixedRateHistory,
  FixedRatePoint,
  FloatingRatePoint,
  RateHistory,
  RateHistoryFilters,
} from '../generated/wireTypes.ts'
import { bytes32, type Shape, uint256, unixSeconds } from '../wire/index.ts'
import { parsedText } from '../wire/primitives.ts'
import { field, named } from '../wire/wireRegistry.ts'
import { endpoint } from './endpoint.ts'

const secondsText: Shape<number> = /* @__PURE__ */ parsedText(
  {
    type: { name: 'number' },
    parse: (text) => (/^(?:0|[1-9][0-9]{0,10})$/.test(text) ? Number(text) : null),
    expected: 'Unix seconds: an integer of at most 11 digits',
  },
  { description: 'Unix seconds: an integer of at most 11 digits.', pattern: '^(?:0|[1-9][0-9]{0,10})$' },
)

const queryShape: Shape<RateHistoryFilters> = /* @__PURE__ */ named(
  'RateHistoryFilters',
  'Selects a pool and a time range. Times are rounded down to full hours. The range is inclusive.',
  z.strictObject({
    market: field(bytes32, 'The id of the pool, as in `GET /pools/rates` (`poolId`).'),
    from: field(z.exactOptional(secondsText), 'The first hour. Default: 365 days before `to`.'),
    to: field(z.exactOptional(secondsText), 'The last hour. Default: the current hour.'),
  }),
)

const floatingPointShape: Shape<FloatingRatePoint> = /* @__PURE__ */ named(
  'FloatingRatePoint',
  "A market's floating rate at the first block at or after a full hour. Hours without a block have no rate.",
  z.object({
    at: field(unixSeconds, 'The hour.'),
    ratePerSec: field(uint256, 'WAD per second.'),
    apr: field(z.number(), 'Simple, in percent.'),
    block: field(z.number(), 'The block at which the rate was read.'),
  }),
)

const fixedPointShape: Shape<FixedRatePoint> = /* @__PURE__ */ named(
  'FixedRatePoint',
  'The lowest rate among the quotes that auctions accepted in a day (UTC). The rate applied to the size of that quote only.',
  z.object({
    at: field(unixSeconds, 'The day, at 00:00 UTC.'),
    apr: field(z.number(), 'Simple, in percent.'),
    notional: field(uint256, 'The size of the quote, in raw units of the loan token.'),
  }),
)

const fixedHistoryShape: Shape<FixedRateHistory> = /* @__PURE__ */ named(
  'FixedRateHistory',
  'The best fixed rates for a series over time.',
  z.object({
    seriesKey: bytes32,
    expiry: field(unixSeconds, 'Expiry of the series, Unix seconds.'),
    points: field(z.array(fixedPointShape), 'Oldest first. Days without a quote have no point.'),
  }),
)

const answerShape: Shape<RateHistory> = /* @__PURE__ */ named(
  'RateHistory',
  'The history of the rates of a pool.',
  z.object({
    market: field(bytes32, 'The id of the pool.'),
    from: field(z.number(), 'The first hour, Unix seconds.'),
    to: field(z.number(), 'The last hour, Unix seconds.'),
    step: field(
      z.number(),
      'Seconds between two points in `floating`: 3600, or 86400 for ranges of more than 2,000 hours, in which case the first point of each day (UTC) is used.',
    ),
    floating: field(z.array(floatingPointShape), 'Oldest first.'),
    fixed: field(
      z.array(fixedHistoryShape),
      'By series, earliest expiry first. Contains at most the newest 4,000 points in total.',
    ),
  }),
)

export const getRateHistory = /* @__PURE__ */ endpoint({
  id: 'getRateHistory',
  method: 'get',
  path: '/rates/history',
  tag: 'Markets',
  summary: "A pool's floating rate and best fixed rates over time",
  description:
    'Returns hourly floating rates, or daily ones for ranges of more than 2,000 hours, and the daily best fixed rates among quotes accepted by auctions. By default, the service retains both for 400 days. It backfills floating rates from before it was started, as far back as its node can read them. Unknown points are omitted. The maximum range is 2,000 days.',
  query: queryShape,
  answers: { 200: { description: 'The points in the range.', shape: answerShape } },
  problems: ['POOL_NOT_FOUND', 'CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ poolId, expiry }) => ({
    market: { pool: { summary: 'A pool', value: poolId } },
    from: { week: { summary: 'One week ago', value: String(expiry - 7 * 86_400) } },
    to: { now: { summary: 'Now', value: String(expiry) } },
  }),
})

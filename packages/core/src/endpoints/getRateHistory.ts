import * as z from 'zod/mini'
import type {
  FixedFills,
  FixedOffer,
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
    poolId: field(bytes32, 'The id of the pool, as in `GET /pools/rates`.'),
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

const fixedFillsShape: Shape<FixedFills> = /* @__PURE__ */ named(
  'FixedFills',
  "What a day's fills of a series cost. A fill is a quote taken on-chain. At most the 1,000 largest fills of a day count.",
  z.object({
    apr: field(
      z.number(),
      "The median, weighted by notional: the lowest rate at or below which half of the day's notional was fixed. Simple, in percent.",
    ),
    effectiveApy: field(
      z.exactOptional(z.nullable(z.number())),
      'Effective APY in percent of the median fill when it was taken, or null if there is none. Absent for days recorded by older services.',
    ),
    notional: field(
      uint256,
      'The sum of the fills, in raw units of the loan token. The smaller it is, the less the median says.',
    ),
    count: field(z.number(), 'The number of fills.'),
  }),
)

const fixedOfferShape: Shape<FixedOffer> = /* @__PURE__ */ named(
  'FixedOffer',
  "A day's best public offer.",
  z.object({
    apr: field(z.number(), 'Simple, in percent.'),
    effectiveApy: field(
      z.exactOptional(z.nullable(z.number())),
      'Effective APY in percent at the same time as `apr`, or null if there is none. Absent for days recorded by older services.',
    ),
    notional: field(uint256, 'The size of the offer, in raw units of the loan token.'),
  }),
)

const fixedPointShape: Shape<FixedRatePoint> = /* @__PURE__ */ named(
  'FixedRatePoint',
  'The fixed rates of a series on a day (UTC). It has at least one of `fills` and `offer`.',
  z.object({
    at: field(unixSeconds, 'The day, at 00:00 UTC.'),
    fills: field(
      z.exactOptional(fixedFillsShape),
      'What was fixed on-chain. A day without fills has no `fills`. The quotes of auctions do not count until they are taken.',
    ),
    offer: field(
      z.exactOptional(fixedOfferShape),
      "The best public offer at the series' default size that stood for at least 30 blocks. Quotes for a single taker, and quotes that their makers could not fund, do not count.",
    ),
  }),
)

const fixedHistoryShape: Shape<FixedRateHistory> = /* @__PURE__ */ named(
  'FixedRateHistory',
  'The fixed rates of a series over time.',
  z.object({
    seriesKey: bytes32,
    expiry: field(unixSeconds, 'Expiry of the series, Unix seconds.'),
    points: field(z.array(fixedPointShape), 'Oldest first. Days without a known fixed rate have no point.'),
  }),
)

const answerShape: Shape<RateHistory> = /* @__PURE__ */ named(
  'RateHistory',
  'The history of the rates of a pool.',
  z.object({
    poolId: bytes32,
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
  summary: "A pool's floating and fixed rates over time",
  description:
    'Returns hourly floating rates, or daily ones for ranges of more than 2,000 hours, and for each day and series the median fixed rate of the quotes taken on-chain. By default, the service retains both for 400 days. It backfills both from before it was started, floating rates as far back as its node can read them. Unknown points are omitted. The maximum range is 2,000 days.',
  query: queryShape,
  answers: { 200: { description: 'The points in the range.', shape: answerShape } },
  problems: ['POOL_NOT_FOUND', 'CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: ({ poolId, expiry }) => ({
    poolId: { pool: { summary: 'A pool', value: poolId } },
    from: { week: { summary: 'One week ago', value: String(expiry - 7 * 86_400) } },
    to: { now: { summary: 'Now', value: String(expiry) } },
  }),
})

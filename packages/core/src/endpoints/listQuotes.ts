import { quoteFiltersShape, quotePageShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const listQuotes = /* @__PURE__ */ endpoint({
  id: 'listQuotes',
  method: 'get',
  path: '/quotes',
  tag: 'Quotes',
  summary: 'List quotes',
  description:
    "Excludes quotes that have ended as of the latest block. `executable` shows whether the contract would execute a quote. If not, `reason` is the rejection code. `overcommitted` shows whether the maker's quotes exceed its funds. `sort` is `rate` (best first: within a series by exact price, across series by effective APY as of the first page), `created` (newest first, the default) or `deadline` (earliest first). Without `maker` and `taker`, a list sorted by `rate` omits quotes that their makers cannot fund. `limit` is 1 to 100, default 50. `cursor` is the `nextCursor` of the previous page. The service scans a few thousand quotes per page, so with a selective filter a page may contain fewer than `limit`, or none, even if it is not the last. `nextCursor` is null on the last page. A `status` other than `active` lists one `maker`'s published quotes and their status as of the synced blocks, latest deadline first. `seenAt` is the time at which the service observed that a quote had ended. By default, the service keeps these quotes for 30 days after their deadline. It does not read the latest block for this list.",
  query: quoteFiltersShape,
  answers: { 200: { description: 'A page of quotes.', shape: quotePageShape } },
  problems: ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'],
  examples: ({ poolId, account }) => ({
    maker: { nobody: { summary: 'An account', value: account } },
    poolId: { pool: { summary: 'A pool', value: poolId } },
    minNotional: { least: { summary: 'A minimum notional', value: '1000' } },
    status: { all: { summary: "Active quotes and a maker's other quotes", value: 'active' } },
    sort: { rate: { summary: 'Best first', value: 'rate' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})

import { quoteFiltersShape, quotePageShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const listQuotes = /* @__PURE__ */ endpoint({
  id: 'listQuotes',
  method: 'get',
  path: '/quotes',
  tag: 'Quotes',
  summary: 'List quotes',
  description:
    "Excludes quotes that have ended at the latest block. `executable` states whether the contract would execute a quote (`reason` has the code if not), and `overcommitted` whether the maker's quotes exceed its funds. `sort` is `rate` (best first), `created` (newest first, the default) or `deadline` (soonest first). `limit` is 1 to 100, default 50. `cursor` is the `nextCursor` of the previous page. The service scans a few thousand quotes per page. A selective filter may yield fewer than `limit`, or none, before the last page. `nextCursor` is null on the last page. With a `status` other than `active`, the list has the published quotes of one `maker` and their status as of the synced blocks, latest deadline first. Each has `seenAt`, the time at which its end was observed. The service keeps them for 30 days after their deadline by default. It does not read the latest block for this list.",
  query: quoteFiltersShape,
  answers: { 200: { description: 'One page of quotes.', shape: quotePageShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ poolId, account }) => ({
    maker: { nobody: { summary: 'An account', value: account } },
    poolId: { pool: { summary: 'A pool', value: poolId } },
    minNotional: { least: { summary: 'A smallest notional', value: '1000' } },
    status: { all: { summary: "Active quotes, and a maker's other ones", value: 'active' } },
    sort: { rate: { summary: 'Best first', value: 'rate' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})

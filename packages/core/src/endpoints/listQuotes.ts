import { quoteFiltersShape, quotePageShape } from '../wire/index.ts'
import { endpoint } from './endpoint.ts'

export const listQuotes = /* @__PURE__ */ endpoint({
  id: 'listQuotes',
  method: 'get',
  path: '/quotes',
  tag: 'Quotes',
  summary: 'List quotes',
  description:
    'Without those that are over at the newest block. `executable` says whether the contract would let a quote be taken (if not, `reason` says why), `overcommitted` whether its maker has promised more than it has. `sort` is `rate` (best first), `created` (newest first, the default) or `deadline` (soonest first); `limit` is 1 to 100, 50 unless given; `cursor` is the `nextCursor` of the page before. Some thousand quotes are looked at for one page: where a filter leaves few of them it may have fewer than `limit`, or none, and more to come; `nextCursor` is null on the last one. With another `status` than `active`, what one `maker` has published and what has become of it by the synced blocks, for 30 days after its deadline by default: the latest deadline first, with `seenAt` of its end, and without a look at the newest block.',
  query: quoteFiltersShape,
  answers: { 200: { description: 'One page of quotes.', shape: quotePageShape } },
  problems: ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE'],
  examples: ({ poolId, account }) => ({
    maker: { nobody: { summary: 'An account', value: account } },
    poolId: { pool: { summary: 'A pool', value: poolId } },
    minNotional: { least: { summary: 'At least so much', value: '1000' } },
    status: { all: { summary: "Active quotes, and a maker's other ones", value: 'active' } },
    sort: { rate: { summary: 'Best first', value: 'rate' } },
    limit: { ten: { summary: 'At most ten', value: '10' } },
  }),
})

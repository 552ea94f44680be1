import { InvalidInputError, type PoolRates, type QuoteFilters, type QuotePage } from '@firmquote/core'
import type { ServiceClient } from '@firmquote/sdk'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { UsageError } from '../errors.ts'
import { parseAmount } from '../format/amount.ts'
import { choosePool, chooseSeries } from '../format/choosePool.ts'
import { renderQuotes } from '../format/quotes.ts'
import { parseAddress } from '../parseAddress.ts'

/** Filters for `firmquote quotes`, as typed. */
export type QuotesOptions = ServiceOptions & {
  maker?: string
  taker?: string
  pool?: string
  series?: string
  min?: string
  max?: string
  sort?: 'rate' | 'created' | 'deadline'
  status?: NonNullable<QuoteFilters['status']>
  limit?: string
  cursor?: string
}

/** Lists a page of published quotes: active quotes, or one maker's quotes with another status. */
export async function quotes(context: Context, options: QuotesOptions): Promise<void> {
  const { signal } = context
  const client = connectService(context, options)
  const pools = await client.getPoolRates({}, { signal })
  const filters = parseFilters(options, pools)
  const pool = pools.find(({ poolId }) => poolId === filters.poolId)
  if (pool) context.failure.token = pool.loanToken
  const page = await readPage(client, filters, signal)
  show(context, options.json, page, () => renderQuotes(page, pools, Date.now(), context.style))
  if (!options.json && page.nextCursor !== null) context.note(`More: --cursor ${page.nextCursor}`)
}

/** Maximum number of requests made to fill a page. `--cursor` continues from there. */
const maxPages = 100

/**
 * Reads a page. The service may return a short page even though more quotes follow. Further requests fill it.
 */
async function readPage(client: ServiceClient, filters: QuoteFilters, signal: AbortSignal): Promise<QuotePage> {
  const { limit = 50 } = filters
  const page = await client.getQuoteMarketQuotes(filters, { signal })
  for (let pages = 1; page.nextCursor !== null && page.quotes.length < limit && pages < maxPages; pages += 1) {
    const rest = { ...filters, cursor: page.nextCursor, limit: limit - page.quotes.length }
    const { quotes, nextCursor } = await client.getQuoteMarketQuotes(rest, { signal })
    page.quotes.push(...quotes)
    page.nextCursor = nextCursor
  }
  return page
}

function parseFilters(options: QuotesOptions, pools: readonly PoolRates[]): QuoteFilters {
  const { maker, taker, sort, status, cursor } = options
  const pool = options.pool === undefined ? undefined : choosePool(pools, options.pool)
  if (!pool && (options.series !== undefined || options.min !== undefined || options.max !== undefined)) {
    throw new UsageError('--series, --min and --max apply to one pool, so they require --pool.')
  }
  const filters: QuoteFilters = {}
  if (maker !== undefined) filters.maker = parseAddress(maker, '--maker')
  if (taker !== undefined) filters.taker = parseAddress(taker, '--taker')
  if (sort !== undefined) filters.sort = sort
  if (status !== undefined) filters.status = status
  if (cursor !== undefined) filters.cursor = cursor
  if (options.limit !== undefined) filters.limit = parseLimit(options.limit)
  if (!pool) return filters
  filters.poolId = pool.poolId
  if (options.series !== undefined) filters.seriesKey = chooseSeries(pool.series, options.series).seriesKey
  if (options.min !== undefined) filters.minNotional = parseAmount(options.min, pool.loanToken.decimals)
  if (options.max !== undefined) filters.maxNotional = parseAmount(options.max, pool.loanToken.decimals)
  return filters
}

function parseLimit(text: string): number {
  if (/^(?:[1-9]\d?|100)$/.test(text)) return Number(text)
  throw new InvalidInputError('--limit must be a whole number from 1 to 100.')
}

import { formatPoolId } from '@firmquote/core'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { UsageError } from '../errors.ts'
import { choosePool } from '../format/choosePool.ts'
import { parseInstant } from '../format/instant.ts'
import { renderRateHistory } from '../format/rateHistory.ts'
import { showRate } from '../format/show.ts'
import { renderTable } from '../format/table.ts'

/** Options for `firmquote rates`, as typed. */
export type RatesOptions = ServiceOptions & { pool?: string; from?: string; to?: string }

const columns = [
  { title: 'PROTOCOL' },
  { title: 'MARKET' },
  { title: 'LOAN TOKEN' },
  { title: 'APR', right: true },
  { title: 'APY', right: true },
  { title: 'BLOCK', right: true },
]

/** Lists the floating rates of the pools' lending markets or, with `history`, one pool's rate history. */
export async function rates(context: Context, what: 'history' | undefined, options: RatesOptions): Promise<void> {
  if (what === 'history') return history(context, options)
  const { pool, from, to } = options
  if (pool !== undefined || from !== undefined || to !== undefined) {
    throw new UsageError('--pool, --from and --to require firmquote rates history.')
  }
  const found = await connectService(context, options).getMarkets({ signal: context.signal })
  show(context, options.json, found, () => {
    const rows = found.map(({ protocol, market, loanToken, apr, apy, block }) => [
      protocol,
      formatPoolId(market),
      loanToken,
      showRate(apr),
      showRate(apy),
      String(block),
    ])
    return renderTable(columns, rows, context.style)
  })
}

async function history(context: Context, options: RatesOptions): Promise<void> {
  const { signal, style, failure } = context
  const { pool: text, from, to } = options
  if (text === undefined) throw new UsageError('A pool is required: set --pool.')
  const range = {
    ...(from !== undefined && { from: parseInstant(from) }),
    ...(to !== undefined && { to: parseInstant(to) }),
  }
  const client = connectService(context, options)
  const pool = choosePool(await client.getPoolRates({}, { signal }), text)
  failure.token = pool.loanToken
  const found = await client.getRateHistory({ poolId: pool.poolId, ...range }, { signal })
  show(context, options.json, found, () => renderRateHistory(found, pool.loanToken, style))
}

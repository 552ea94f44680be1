import { formatPoolId } from '@firmquote/core'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { showRate } from '../format/show.ts'
import { renderTable } from '../format/table.ts'

const columns = [
  { title: 'PROTOCOL' },
  { title: 'MARKET' },
  { title: 'LOAN TOKEN' },
  { title: 'APR', right: true },
  { title: 'APY', right: true },
  { title: 'BLOCK', right: true },
]

/** Lists the floating rates of the lending markets of the pools. */
export async function rates(context: Context, options: ServiceOptions): Promise<void> {
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

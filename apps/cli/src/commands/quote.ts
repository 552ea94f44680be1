import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { renderQuote } from '../format/quotes.ts'
import { parseHash } from '../parseHash.ts'

/** Shows a stored quote, active or not. */
export async function quote(context: Context, hash: string, options: ServiceOptions): Promise<void> {
  const { signal } = context
  const client = connectService(context, options)
  const stored = await client.getQuoteMarketQuote(parseHash(hash), { signal })
  const pools = options.json ? [] : await client.getPoolRates({}, { signal })
  show(context, options.json, stored, () => renderQuote(stored, pools, context.style))
}

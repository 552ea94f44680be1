import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { renderPools } from '../format/pools.ts'

/** Lists the pools and their active series. */
export async function pools(context: Context, options: ServiceOptions): Promise<void> {
  const found = await connectService(context, options).getPoolRates({}, { signal: context.signal })
  show(context, options.json, found, () => renderPools(found, context.style))
}

import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { renderPositions } from '../format/positions.ts'
import { parseAddress } from '../parseAddress.ts'

/** Shows what an account owes on the lending markets, and its open fixed-rate positions. */
export async function positions(context: Context, address: string, options: ServiceOptions): Promise<void> {
  const account = parseAddress(address, 'The account')
  const { signal } = context
  const client = connectService(context, options)
  const found = await client.getPositions(account, { signal })
  const pools = options.json ? [] : await client.getPoolRates({}, { signal })
  show(context, options.json, found, () => renderPositions(found, pools, context.style))
}

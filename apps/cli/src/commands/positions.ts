import { isAddress } from 'viem'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { UsageError } from '../errors.ts'
import { renderPositions } from '../format/positions.ts'

/** Shows what an account owes on the lending markets, and its open fixed-rate positions. */
export async function positions(context: Context, address: string, options: ServiceOptions): Promise<void> {
  if (!isAddress(address)) throw new UsageError('The address must be in lower case or have a right checksum.')
  const { signal } = context
  const client = connectService(context, options)
  const found = await client.getPositions(address, { signal })
  const pools = options.json ? [] : await client.getPoolRates({ signal })
  show(context, options.json, found, () => renderPositions(found, pools, context.style))
}

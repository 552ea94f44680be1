import { InvalidInputError } from '@firmquote/core'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { renderPositionLines, renderPositions } from '../format/positions.ts'
import { parseAddress } from '../parseAddress.ts'

/** Options for `firmquote positions`, as typed. */
export type PositionsOptions = ServiceOptions & { all?: boolean; limit?: string; cursor?: string }

/** Shows an account's debts on the lending markets, its withdrawable credits and a page of its fixed-rate positions. */
export async function positions(context: Context, address: string, options: PositionsOptions): Promise<void> {
  const account = parseAddress(address, 'The account')
  const { signal } = context
  const { all = false, limit, cursor } = options
  const client = connectService(context, options)
  const found = await client.getPositions(account, {
    signal,
    ...(all && { status: 'all' as const }),
    ...(limit !== undefined && { limit: parseLimit(limit) }),
    ...(cursor !== undefined && { cursor }),
  })
  const pools = options.json ? [] : await client.getPoolRates({}, { signal })
  const render = context.live === null ? renderPositionLines : renderPositions
  show(context, options.json, found, () => render(found, pools, { all, style: context.style }))
  if (!options.json && found.nextCursor) context.note(`More: --cursor ${found.nextCursor}`)
}

function parseLimit(text: string): number {
  if (/^(?:[1-9]\d?|[1-4]\d\d|500)$/.test(text)) return Number(text)
  throw new InvalidInputError('--limit must be a whole number from 1 to 500.')
}

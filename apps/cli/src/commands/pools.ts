import type { PoolRates } from '@firmquote/core'
import type { ServiceClient } from '@firmquote/sdk'
import { connectService, type ServiceOptions } from '../connect.ts'
import { type Context, show } from '../context.ts'
import { UsageError } from '../errors.ts'
import { parseAmount } from '../format/amount.ts'
import { choosePool } from '../format/choosePool.ts'
import { renderPools } from '../format/pools.ts'

/** Options for `firmquote pools`, as typed. */
export type PoolsOptions = ServiceOptions & { pool?: string; notional?: string }

/** Lists all pools with their active series, or one pool, optionally with rates for a given size. */
export async function pools(context: Context, options: PoolsOptions): Promise<void> {
  const client = connectService(context, options)
  const found = await findPools(client, options, context)
  const shown = found.map(({ pool }) => pool)
  show(context, options.json, shown, () => renderPools(found, context.style))
}

/** Returns pools numbered as in the full list. Other commands accept these numbers. */
async function findPools(
  client: ServiceClient,
  { pool: text, notional }: PoolsOptions,
  { signal, failure }: Context,
): Promise<{ number: number; pool: PoolRates }[]> {
  if (text === undefined && notional !== undefined) {
    throw new UsageError("--notional is in units of a pool's token, so it requires --pool.")
  }
  const all = await client.getPoolRates({}, { signal })
  if (text === undefined) return all.map((pool, index) => ({ number: index + 1, pool }))
  const chosen = choosePool(all, text)
  failure.token = chosen.loanToken
  const number = all.indexOf(chosen) + 1
  if (notional === undefined) return [{ number, pool: chosen }]
  const size = parseAmount(notional, chosen.loanToken.decimals)
  if (size === 0n) throw new UsageError('--notional must be above zero.')
  const measured = await client.getPoolRates({ poolId: chosen.poolId, notional: size }, { signal })
  return measured.map((pool) => ({ number, pool }))
}

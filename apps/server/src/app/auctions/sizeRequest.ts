import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { judgeRequestSize, minNotionalOf } from '../../domain/minNotionalOf.ts'
import type { Chain, Series } from '../../ports/chain.ts'
import type { Store } from '../../ports/store.ts'
import type { Outcome } from '../outcome.ts'
import type { ServiceLimits } from '../serviceDeps.ts'
import type { OpenRefusal } from './openRefusal.ts'

type Deps = {
  chain: Pick<Chain, 'readCapacities'>
  store: Pick<Store, 'listPools'>
  limits: Pick<ServiceLimits, 'dustDivisor' | 'dustLimits'>
}

/**
 * Judges the size of a request against its series and returns the least notional of a quote. Reads the remaining
 * capacity from the chain, unless the request is refused without it.
 */
export async function sizeRequest(
  { chain, store, limits }: Deps,
  request: RFQRequest,
  { poolId, seriesKey, cap }: Series,
): Promise<Outcome<bigint, OpenRefusal>> {
  const pool = (await store.listPools()).find((item) => item.poolId === poolId)
  if (!pool) return { ok: false, rejection: { code: 'POOL_NOT_FOUND', poolId } }
  const dust = minNotionalOf(
    { cap, loanToken: pool.loanToken },
    { divisor: limits.dustDivisor, limits: limits.dustLimits },
  )
  // A request below the minimum needs no read.
  const small = judgeRequestSize(request, { dust, capacity: request.notional })
  if (!small.ok) return small
  try {
    const { capacities } = await chain.readCapacities([seriesKey])
    const size = judgeRequestSize(request, { dust, capacity: capacities.get(seriesKey) ?? 0n })
    return size.ok ? { ok: true, value: size.minNotional } : size
  } catch (error) {
    if (error instanceof ChainUnavailableError) return { ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } }
    throw error
  }
}

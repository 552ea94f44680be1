import { formatPoolId, InvalidInputError, type PoolRates } from '@firmquote/core'
import { printable } from './printable.ts'

/** A pool. Pools are numbered in the service's order, from 1. */
type Pool = Pick<PoolRates, 'poolId' | 'loanToken'>

/**
 * Finds a pool by its id, a unique prefix of the id, its number in the list, or its loan token's symbol if only one
 * pool has it.
 *
 * @throws {InvalidInputError} if there is no match, or more than one.
 */
export function choosePool<P extends Pool>(pools: readonly P[], text: string): P {
  const found = matching(pools, text)
  const [only] = found
  if (only && found.length === 1) return only
  if (found.length > 1) {
    const ids = found.map(({ poolId }) => formatPoolId(poolId)).join(', ')
    throw new InvalidInputError(`${text} matches ${found.length} pools (${ids}); use a longer id or the pool's number.`)
  }
  throw new InvalidInputError(`Pool ${JSON.stringify(text)} does not exist; firmquote pools lists all pools.`)
}

/**
 * Finds one of a pool's series by its key or a unique prefix of it.
 *
 * @throws {InvalidInputError} if there is no match, or more than one.
 */
export function chooseSeries<S extends { seriesKey: string }>(series: readonly S[], text: string): S {
  const found = isHexPrefix(text) ? series.filter(({ seriesKey }) => startsWith(seriesKey, text)) : []
  const [only] = found
  if (only && found.length === 1) return only
  const what =
    found.length > 1 ? `${found.length} active series of the pool begin` : 'No active series of the pool begins'
  throw new InvalidInputError(`${what} with ${JSON.stringify(text)}.`)
}

function matching<P extends Pool>(pools: readonly P[], text: string): P[] {
  if (isHexPrefix(text)) return pools.filter(({ poolId }) => startsWith(poolId, text))
  if (/^[1-9]\d{0,5}$/.test(text)) {
    const pool = pools[Number(text) - 1]
    return pool ? [pool] : []
  }
  return pools.filter(({ loanToken }) => printable(loanToken.symbol).toLowerCase() === text.toLowerCase())
}

function isHexPrefix(text: string): boolean {
  return /^0x[0-9a-f]{1,64}$/i.test(text)
}

function startsWith(hex: string, prefix: string): boolean {
  return hex.toLowerCase().startsWith(prefix.toLowerCase())
}

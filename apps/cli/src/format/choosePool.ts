import { formatPoolId, InvalidInputError, type PoolRates } from '@firmquote/core'
import { printable } from './printable.ts'

/** Pools as `firmquote pools` numbers them: in the order of the service, the first is 1. */
type Pool = Pick<PoolRates, 'poolId' | 'loanToken'>

/**
 * Finds the pool that is meant: by its id, a prefix of the id that only one pool has, its number in the list, or its loan
 * token's symbol if no other pool has the same.
 *
 * @throws {InvalidInputError} when none is meant, or several could be.
 */
export function choosePool<P extends Pool>(pools: readonly P[], text: string): P {
  const found = matching(pools, text)
  const [only] = found
  if (only && found.length === 1) return only
  if (found.length > 1) {
    const ids = found.map(({ poolId }) => formatPoolId(poolId)).join(', ')
    throw new InvalidInputError(`${text} could be any of ${found.length} pools (${ids}); give a longer id or a number.`)
  }
  throw new InvalidInputError(`There is no pool ${JSON.stringify(text)}; firmquote pools lists those that there are.`)
}

/**
 * Finds a series of a pool by its key, or a prefix that no other series of the pool has.
 *
 * @throws {InvalidInputError} when none is meant, or several could be.
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

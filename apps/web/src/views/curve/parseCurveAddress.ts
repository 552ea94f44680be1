import { isHex } from 'viem'
import type { CurveAddress } from '../../routes.ts'

/** Parses a query built by `curveHref`, such as `pool=0x…&size=1`. Ignores invalid values. */
export function parseCurveAddress(search: string): CurveAddress {
  const query = new URLSearchParams(search)
  const [pool, series] = [query.get('pool')?.toLowerCase(), query.get('series')?.toLowerCase()]
  const size = query.get('size')
  return {
    ...(isHex(pool) && pool.length === 66 && { poolId: pool }),
    // 77 digits always fit into 256 bits.
    ...(size !== null && /^[1-9][0-9]{0,76}$/.test(size) && { size: BigInt(size) }),
    ...(query.get('show') === 'firm' && { firmOnly: true }),
    ...(isHex(series) && series.length === 66 && { seriesKey: series }),
  }
}

import type { Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'

/** Pairs positions with their pools, earliest maturity first. Omits positions in unknown pools. */
export function sortPositions(
  positions: readonly FixedPosition[],
  pools: readonly Pool[],
): { position: FixedPosition; pool: Pool }[] {
  return positions
    .toSorted((a, b) => a.expiry - b.expiry)
    .flatMap((position) => {
      const pool = pools.find(({ poolId }) => poolId === position.poolId)
      return pool ? [{ position, pool }] : []
    })
}

import type { Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'

/** Positions with their pools, the soonest to mature first; one whose pool is not known is left out until it is. */
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

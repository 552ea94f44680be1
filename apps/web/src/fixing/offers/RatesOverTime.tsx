import { type Pool, useRateHistory, useServerNow } from '@firmquote/react'
import type { Hex } from 'viem'
import { useTexts } from '../../copy/words.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { RateChart } from '../../ui/RateChart.tsx'
import { ratesWithin } from './ratesWithin.ts'

/**
 * Charts a pool's rates over the last `days` (at most 365): the floating rate as a line, and each day's best fixed rate
 * from auctions, for one series or all of them.
 */
export function RatesOverTime({ pool, seriesKey, days }: { pool: Pool; seriesKey?: Hex | undefined; days: number }) {
  const history = useRateHistory(pool.poolId)
  const now = Math.floor(useServerNow(600_000) / 1000)
  const { overTime } = useTexts().history
  return (
    <Loaded query={history} what="rates" rows={6}>
      {(known) => {
        const { floating, fixed } = ratesWithin(known, { seriesKey, from: now - days * 86_400 })
        // The line ends at the current rate, to match the rest of the app.
        const points = [...floating.filter(({ at }) => at < now), { at: now, percent: pool.floating.apr }]
        if (points.length + fixed.length < 3) return <p>{overTime.none}</p>
        return (
          <>
            <RateChart
              points={points}
              {...(fixed.length > 0 && { fixed })}
              longestGap={2 * known.step}
              words={{
                title: overTime.picture,
                floating: overTime.floating,
                fixed: seriesKey === undefined ? overTime.lowestFixed : overTime.fixed,
                slider: overTime.day,
                unknown: overTime.notKnown,
              }}
            />
            {fixed.length === 0 && <p>{overTime.noneFixed}</p>}
          </>
        )
      }}
    </Loaded>
  )
}

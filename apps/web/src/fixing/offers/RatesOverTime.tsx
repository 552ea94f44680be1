import { type Pool, useRateHistory, useServerNow } from '@firmquote/react'
import type { Hex } from 'viem'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { RateChart } from '../../ui/RateChart.tsx'
import { ratesWithin } from './ratesWithin.ts'

/**
 * Charts a pool's rates over the last `days` (at most 365): the floating rate as a line, and each day's median on-chain
 * fixed rate, for one series or all of them. A day without fills shows the best standing offer.
 */
export function RatesOverTime({ pool, seriesKey, days }: { pool: Pool; seriesKey?: Hex | undefined; days: number }) {
  const history = useRateHistory({ poolId: pool.poolId })
  const now = Math.floor(useServerNow({ intervalMs: 600_000 }) / 1000)
  const formats = useFormats()
  const { overTime } = useRatesTexts().history
  const token = pool.loanToken
  return (
    <Loaded query={history} what="rates" rows={6}>
      {(known) => {
        const { floating, fixed: found } = ratesWithin(known, { seriesKey, from: now - days * 86_400 })
        const fixed = found.map(({ notional, count, ...point }) => {
          const sum = formats.withSymbol(formats.amount(notional, token), token)
          return { ...point, detail: count === 0 ? overTime.offered(sum) : overTime.fills(sum, count) }
        })
        // End the line at the current rate, as in the rest of the app.
        const points = [...floating.filter(({ at }) => at < now), { at: now, percent: pool.floating.apy }]
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
                fixed: overTime.fixed,
                slider: overTime.day,
                unknown: overTime.notKnown,
              }}
            />
            <p>{fixed.length === 0 ? overTime.noneFixed : overTime.legend}</p>
          </>
        )
      }}
    </Loaded>
  )
}

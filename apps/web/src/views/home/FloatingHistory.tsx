import { type Pool, useRateHistory, useServerNow } from '@firmquote/react'
import { aprToApy } from '@firmquote/sdk'
import { useWords } from '../../copy/words.ts'
import type { RateAtSize } from '../../fixing/offers/rateAtSize.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { RateChart } from '../../ui/RateChart.tsx'
import styles from './FloatingHistory.module.css'

/** A market's past floating rate, with the fixed rate, if known, drawn across it. */
export function FloatingHistory({ pool, price }: { pool: Pool; price: RateAtSize | null }) {
  const history = useRateHistory({ poolId: pool.poolId })
  const now = Math.floor(useServerNow({ intervalMs: 600_000 }) / 1000)
  const { texts, formats } = useWords()
  const { chart } = texts.home
  // A new service may have less than a year of history.
  const spanOf = (from: number) => (now - from < 360 * 86_400 ? formats.time(now - from) : chart.year)
  return (
    <Loaded query={history} what="history" rows={8}>
      {({ floating, step }) =>
        floating.length < 2 ? (
          <p className={styles['none']}>{chart.none}</p>
        ) : (
          <>
            <h3>{chart.title(spanOf(floating[0]?.at ?? now))}</h3>
            <RateChart
              // End the line at the current rate, as in the rest of the app.
              points={[
                ...floating.flatMap(({ at, apr }) => (at < now ? [{ at, percent: aprToApy(apr) }] : [])),
                { at: now, percent: pool.floating.apy },
              ]}
              {...(price && Number.isFinite(price.effectiveApy) && { fixed: price.effectiveApy })}
              longestGap={2 * step}
              words={{
                title: chart.picture,
                floating: chart.floating,
                fixed: price?.kind === 'estimate' ? chart.fixedAbout : chart.fixed,
                slider: chart.day,
                unknown: chart.notKnown,
              }}
            />
          </>
        )
      }
    </Loaded>
  )
}

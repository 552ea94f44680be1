import { formatRate } from '@firmquote/sdk'
import { scaleLinear, scaleSqrt } from 'd3-scale'
import { useId, useRef, useState } from 'react'
import { auctionFormHref, quoteHref } from '../../routes.ts'
import { serverNow } from '../../service/serverClock.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { formatDay } from '../../ui/figures.tsx'
import styles from './CurvePlot.module.css'
import { type CurvePoint, pointKey } from './curvePoints.ts'
import { FactsBox } from './FactsBox.tsx'
import { PlotAxes } from './PlotAxes.tsx'
import { PlotPoint } from './PlotPoint.tsx'
import { rateDomain, reach } from './plotLayout.ts'
import { pointFacts } from './pointFacts.ts'
import { useWidth } from './useWidth.ts'

/** Fixed APR against maturity, the floating rate as a line across. `size` in raw units, `now` in Unix seconds. */
export function CurvePlot(props: { points: readonly CurvePoint[]; pool: Pool; size: bigint; now: number }) {
  const { points, pool, size, now } = props
  const { poolId, loanToken: token, series, floating } = pool
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const announce = useAnnounce()
  const [shown, setShown] = useState<string | null>(null)

  const wide = width >= 640
  const height = wide ? 340 : 280
  const area = { left: 48, right: width - (wide ? 44 : 26), top: 34, bottom: height - 46 }
  const last = Math.max(...series.map(({ expiry }) => expiry))
  // The root gives short maturities room beside long ones.
  const x = scaleSqrt([0, Math.max(1, last - now)], [area.left, area.right])
  const rates = rateDomain(
    points.map(({ apr }) => apr),
    floating.apr,
  )
  const y = scaleLinear(rates, [area.bottom, area.top]).nice(5).clamp(true)

  const top = y.domain()[1] ?? 0
  const placed = points.map((point) => ({ point, x: x(point.expiry - now), y: y(point.apr), beyond: point.apr > top }))
  const firm = placed.filter(({ point, beyond }) => point.kind === 'firm' && !beyond)
  const chosen = placed.find(({ point }) => pointKey(point) === shown)
  const factsOf = (point: CurvePoint) => pointFacts(point, token, formatDay(point.expiry), serverNow())

  return (
    <figure
      className={styles['figure']}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setShown(null)}
      onKeyDown={({ key }) => key === 'Escape' && setShown(null)}
    >
      <div ref={frame} className={styles['frame']} style={{ height }}>
        {width > 0 && (
          <svg
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            aria-labelledby={`${id}t`}
            aria-describedby={`${id}d`}
          >
            <title id={`${id}t`}>Fixed APR by maturity</title>
            <desc id={`${id}d`}>
              {describe(points, floating.apr)} Every point is a link; the table below holds the same figures.
            </desc>
            <PlotAxes
              area={area}
              rates={y.ticks(5).map((apr) => ({ apr, y: y(apr) }))}
              maturities={series.map(({ expiry }) => ({ expiry, x: x(Math.max(0, expiry - now)) }))}
              floating={{ apr: floating.apr, y: y(floating.apr) }}
              points={placed}
              wide={wide}
              now={now}
            />
            <g>
              {/* An empty title of their own keeps the plot's from popping up over the points. */}
              <title />
              <path className={styles['curve']} d={pathThrough(firm)} />
              {placed.map(({ point, beyond, ...spot }) => (
                <PlotPoint
                  key={pointKey(point)}
                  kind={point.kind}
                  spot={spot}
                  beyond={beyond}
                  reach={reach(spot, placed)}
                  label={factsOf(point).label}
                  href={
                    point.kind === 'firm'
                      ? quoteHref(point.hash)
                      : auctionFormHref({ poolId, seriesKey: point.seriesKey, notional: size })
                  }
                  shown={pointKey(point) === shown}
                  onShow={() => setShown(pointKey(point))}
                  onHide={() => setShown((key) => (key === pointKey(point) ? null : key))}
                  onFocus={() =>
                    announce(
                      factsOf(point)
                        .facts.map(({ name, value }) => `${name}: ${value}.`)
                        .join(' '),
                    )
                  }
                />
              ))}
            </g>
          </svg>
        )}
        {chosen && (
          <FactsBox
            key={chosen.point.hash}
            point={chosen.point}
            facts={factsOf(chosen.point)}
            spot={chosen}
            plot={{ width, height }}
          />
        )}
      </div>
      <figcaption className={styles['caption']}>
        Time runs on a square-root scale, so that near maturities do not crowd.
        {placed.some(({ beyond }) => beyond) && ' An arrow marks a rate above the plot.'}
      </figcaption>
    </figure>
  )
}

function pathThrough(spots: readonly { x: number; y: number }[]): string {
  return spots.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}

function describe(points: readonly CurvePoint[], floating: number): string {
  const words = (['firm', 'indicative'] as const).map((kind) => {
    const rates = points.filter((point) => point.kind === kind).map(({ apr }) => apr)
    if (rates.length === 0) return `No ${kind} point.`
    return `${rates.length} ${kind}, from ${formatRate(Math.min(...rates))} to ${formatRate(Math.max(...rates))} APR.`
  })
  return `${words.join(' ')} Floating today: ${formatRate(floating)} APR.`
}

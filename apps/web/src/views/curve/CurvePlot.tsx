import type { Pool } from '@firmquote/react'
import { scaleLinear } from 'd3-scale'
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import type { Hex } from 'viem'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useFormats } from '../../copy/words.ts'
import plotStyles from '../../ui/plot.module.css'
import { useLetterScale } from '../../ui/useLetterScale.ts'
import { useWidth } from '../../ui/useWidth.ts'
import styles from './CurvePlot.module.css'
import type { CurvePoint } from './curvePoints.ts'
import { describePoint } from './describePoint.ts'
import { PlotAxes } from './PlotAxes.tsx'
import { bandPath, nearest, pathThrough, rateDomain } from './plotLayout.ts'

/**
 * Plots the effective APY by maturity, the band up to the median of the known quotes, and the variable rate as a line.
 * Hovering shows the nearest term, and a click selects it. The arrow keys do both. `now` is in Unix seconds.
 */
export function CurvePlot(props: {
  points: readonly CurvePoint[]
  pool: Pool
  now: number
  chosen: Hex
  onChoose: (seriesKey: Hex) => void
}) {
  const { points, pool, now, chosen, onChoose } = props
  const { series, floating } = pool
  const formats = useFormats()
  const { curve } = useRatesTexts()
  const { plot } = curve
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [pointed, setPointed] = useState<Hex | null>(null)

  const letters = useLetterScale()
  const wide = width >= 640 * letters
  const height = (wide ? 260 : 200) + 80 * letters
  const area = {
    left: 48 * letters,
    right: width - (wide ? 44 : 26) * letters,
    top: 34 * letters,
    bottom: height - 46 * letters,
  }
  const last = Math.max(...series.map(({ expiry }) => expiry))
  // Whole pixels, because rates change slightly at every poll.
  const x = scaleLinear()
    .domain([0, Math.max(1, last - now)])
    .rangeRound([area.left, area.right])
  const rates = rateDomain(
    points.flatMap(({ effectiveApy, median }) => (median === null ? [effectiveApy] : [effectiveApy, median])),
    floating.apy,
  )
  const y = scaleLinear().domain(rates).rangeRound([area.bottom, area.top]).nice(5).clamp(true)
  const [, top = 0] = y.domain()

  const placed = points.map((point) => ({
    point,
    x: x(point.expiry - now),
    y: y(point.effectiveApy),
    beyond: point.effectiveApy > top,
  }))
  const within = placed.filter(({ beyond }) => !beyond)
  const terms = [
    ...new Map(placed.map(({ point, x }) => [point.seriesKey, { seriesKey: point.seriesKey, x }])).values(),
  ]
  const shown = terms.find(({ seriesKey }) => seriesKey === (pointed ?? chosen))
  const isShown = ({ point }: { point: CurvePoint }) => point.seriesKey === shown?.seriesKey
  const say = (seriesKey: Hex | undefined) =>
    points
      .filter((point) => point.seriesKey === seriesKey)
      .map((point) => describePoint(point, props, curve, formats))
      .join(' ')

  const all = points.map(({ effectiveApy }) => effectiveApy)
  const [least, most] = [formats.rate(Math.min(...all)), formats.rate(Math.max(...all))]
  const description = plot.description(terms.length, least, most, formats.rate(floating.apy))
  const place = terms.findIndex(({ seriesKey }) => seriesKey === chosen)
  const termAt = ({ currentTarget, clientX }: PointerEvent) =>
    nearest(terms, clientX - currentTarget.getBoundingClientRect().left + area.left)?.seriesKey ?? chosen
  const onKeyDown = (event: KeyboardEvent) => {
    const next = cursorAfter(event.key, place, terms.length)
    const term = next === null ? undefined : terms[next]
    if (!term) return
    event.preventDefault()
    setPointed(null)
    onChoose(term.seriesKey)
  }

  return (
    <figure className={styles['figure']}>
      <div ref={frame} className={styles['frame']} style={{ height }}>
        {width > 0 && (
          <svg
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            aria-labelledby={`${id}t`}
            aria-describedby={`${id}d`}
          >
            <title id={`${id}t`}>{plot.title}</title>
            <desc id={`${id}d`}>{description}</desc>
            <PlotAxes
              area={area}
              rates={y.ticks(Math.max(2, Math.round(5 / letters))).map((percent) => ({ percent, y: y(percent) }))}
              maturities={series.map(({ expiry }) => ({ expiry, x: x(Math.max(0, expiry - now)) }))}
              floating={{ percent: floating.apy, y: y(floating.apy) }}
              points={placed}
              wide={wide}
              letters={letters}
              now={now}
            />
            <path className={styles['band']} d={bandPath(within, y)} />
            {shown && <line className={plotStyles['hand']} x1={shown.x} x2={shown.x} y1={area.top} y2={area.bottom} />}
            {placed.filter(isShown).map(({ point, y }) => (
              <line
                key={point.seriesKey}
                className={styles['level']}
                x1={area.left}
                x2={shown?.x ?? area.left}
                y1={y}
                y2={y}
              />
            ))}
            <path className={styles['curve']} d={pathThrough(within)} />
            {placed.map(({ point, beyond, ...spot }) => (
              <g key={point.seriesKey} transform={`translate(${spot.x} ${spot.y})`}>
                {isShown({ point }) && <circle className={styles['ring']} r={10} />}
                {beyond && <path className={styles['arrow']} d="M-5 -12L0 -18L5 -12" />}
                <circle className={styles[point.kind]} r={point.kind === 'firm' ? 5.5 : 6} />
              </g>
            ))}
          </svg>
        )}
        <div
          role="slider"
          tabIndex={0}
          className={styles['hand']}
          style={{
            left: area.left,
            top: area.top,
            width: Math.max(0, area.right - area.left),
            height: area.bottom - area.top,
          }}
          aria-label={plot.term}
          aria-valuemin={1}
          aria-valuemax={terms.length}
          aria-valuenow={place + 1}
          aria-valuetext={say(chosen)}
          onKeyDown={onKeyDown}
          onPointerMove={(event) => setPointed(termAt(event))}
          onPointerLeave={() => setPointed(null)}
          onClick={() => pointed !== null && onChoose(pointed)}
          onPointerDown={(event) => setPointed(termAt(event))}
        />
      </div>
      <figcaption className={styles['caption']}>
        {say(shown?.seriesKey)} {placed.some(({ beyond }) => beyond) && plot.beyond}
      </figcaption>
    </figure>
  )
}

/** Returns the index that a key moves to, or null for other than navigation keys. */
function cursorAfter(key: string, place: number, many: number): number | null {
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(many - 1, place + 1)
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, place - 1)
  if (key === 'Home') return 0
  return key === 'End' ? many - 1 : null
}

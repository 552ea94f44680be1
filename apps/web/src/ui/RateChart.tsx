import { scaleLinear } from 'd3-scale'
import { useId, useRef, useState } from 'react'
import { useFormats } from '../copy/words.ts'
import { apart, dayStarts, fitRates, monthStarts, pieces, pointAt, type RatePoint } from './chartLayout.ts'
import { PlotSlider } from './PlotSlider.tsx'
import plot from './plot.module.css'
import styles from './RateChart.module.css'
import { useLetterScale } from './useLetterScale.ts'
import { useWidth } from './useWidth.ts'

const daySeconds = 86_400
/** Maximum length of a range with day labels, in days. Longer ranges get month labels. */
const fewDays = 100

/** Texts for a {@link RateChart}. */
export type RateChartWords = {
  title: string
  floating: string
  fixed: string
  /** Label for the time slider. */
  slider: string
  /** The text for a day without a known rate. */
  unknown: string
}

/** A day's fixed rate and its basis. */
type FixedPoint = RatePoint & { detail?: string }

/**
 * A line chart of the floating rate over time, with an optional fixed rate across it or daily fixed rates. A pointer or
 * the arrow keys move through the chart day by day. Rates are APY in percent.
 *
 * @param points The points in chronological order. The line is interrupted where consecutive points are more than
 * `longestGap` seconds apart.
 */
export function RateChart(props: {
  points: readonly RatePoint[]
  fixed?: number | readonly FixedPoint[]
  longestGap: number
  words: RateChartWords
}) {
  const { points, words } = props
  const seen = typeof props.fixed === 'object' ? props.fixed : []
  const across = typeof props.fixed === 'number' ? props.fixed : undefined
  const lastFixed = across ?? seen.at(-1)?.percent
  const hasFixed = props.fixed !== undefined
  const formats = useFormats()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const letters = useLetterScale()
  const [read, setRead] = useState<number | null>(null)

  const all = [...points, ...seen].sort((a, b) => a.at - b.at)
  const [first, last, lastFloating] = [all[0], all.at(-1), points.at(-1)]
  if (!first || !last) return null
  const wide = width >= 560 * letters
  const height = wide ? 240 : 200
  const [top, bottom] = [wide ? 12 : 28, height - 28 * letters]
  const rates = fitRates([...all.map(({ percent }) => percent), ...(across === undefined ? [] : [across])])
  const y = scaleLinear().domain(rates).rangeRound([bottom, top]).nice(4)
  const ticks = y.ticks(4)
  const fractionDigits = ticks.every(Number.isInteger) ? 0 : 1
  const rows = ticks.map((percent) => ({ percent, label: formats.rate(percent, percent === 0 ? 0 : fractionDigits) }))
  const longest = Math.max(...rows.map(({ label }) => label.length))
  const area = {
    left: Math.max(40, (longest * 8 + 6) * letters + 8),
    right: width - (wide ? 120 * letters : 8),
    top,
    bottom,
  }
  const x = scaleLinear()
    .domain([first.at, Math.max(last.at, first.at + 1)])
    .rangeRound([area.left, area.right])
  const at = read ?? last.at
  const spot = pointAt(points, at, props.longestGap)
  const floatingWords = `${words.floating} ${spot ? formats.rate(spot.percent) : words.unknown}`
  const fixedSpot = pointAt(seen, at, 2 * daySeconds)
  const fixedThere = across ?? fixedSpot?.percent
  const detail = fixedSpot?.detail === undefined ? '' : ` (${fixedSpot.detail})`
  const fixedWords = hasFixed
    ? `${words.fixed} ${fixedThere === undefined ? words.unknown : formats.rate(fixedThere)}${detail}`
    : null
  const ends = [lastFloating?.percent ?? last.percent, lastFixed ?? last.percent] as const
  const [floatingLabel, fixedLabel] = apart(y(ends[0]), y(ends[1]), lastFixed === undefined ? 0 : 40 * letters)
  const most = Math.max(2, Math.floor((area.right - area.left) / (72 * letters)))
  const short = last.at - first.at < fewDays * daySeconds
  const ticksOfTime = (short ? dayStarts : monthStarts)(first.at, last.at, most)

  const pathOf = (piece: readonly RatePoint[]) =>
    piece
      .map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point.at).toFixed(1)} ${y(point.percent).toFixed(1)}`)
      .join('')

  return (
    <figure className={styles['figure']}>
      <div ref={frame} className={plot['frame']} style={{ height }} onPointerLeave={() => setRead(null)}>
        {width > 0 && (
          <>
            <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-labelledby={`${id}t`}>
              <title id={`${id}t`}>{words.title}</title>
              {rows.map(({ percent, label }) => (
                <g key={percent}>
                  <line className={plot['grid']} x1={area.left} x2={area.right} y1={y(percent)} y2={y(percent)} />
                  <text className={styles['label']} x={area.left - 8} y={y(percent)} dy="0.32em" textAnchor="end">
                    {label}
                  </text>
                </g>
              ))}
              {ticksOfTime.map((at) => (
                // Keeps each label at least half its width from the right edge.
                <text
                  key={at}
                  className={styles['label']}
                  x={Math.min(x(at), width - 26 * letters)}
                  y={height - 8 * letters}
                  textAnchor="middle"
                >
                  {short ? formats.dayOfYear(at) : formats.month(at)}
                </text>
              ))}
              {pieces(points, props.longestGap).map((piece) => (
                <path key={piece[0]?.at} className={styles['floating']} d={pathOf(piece)} />
              ))}
              {across !== undefined && (
                <line className={styles['fixed']} x1={area.left} x2={area.right} y1={y(across)} y2={y(across)} />
              )}
              {pieces(seen, daySeconds).map((piece) => (
                <path key={piece[0]?.at} className={styles['fixedLine']} d={pathOf(piece)} />
              ))}
              {seen.map((point) => (
                <circle key={point.at} className={styles['seen']} cx={x(point.at)} cy={y(point.percent)} r={3.5} />
              ))}
              {wide && (
                <>
                  {lastFloating && (
                    <EndLabel
                      x={area.right + 10}
                      y={floatingLabel}
                      look="floatingText"
                      name={words.floating}
                      value={formats.rate(lastFloating.percent)}
                    />
                  )}
                  {lastFixed !== undefined && (
                    <EndLabel
                      x={area.right + 10}
                      y={fixedLabel}
                      look="fixedText"
                      name={words.fixed}
                      value={formats.rate(lastFixed)}
                    />
                  )}
                </>
              )}
              {(read !== null || !wide) && (
                <>
                  {read !== null && (
                    <line className={plot['hand']} x1={x(at)} x2={x(at)} y1={area.top} y2={area.bottom} />
                  )}
                  {spot && <circle className={styles['spot']} cx={x(spot.at)} cy={y(spot.percent)} r={4.5} />}
                  {fixedSpot && (
                    <circle className={styles['seen']} cx={x(fixedSpot.at)} cy={y(fixedSpot.percent)} r={5} />
                  )}
                </>
              )}
            </svg>
            <PlotSlider
              label={words.slider}
              valueText={[formats.day(at), floatingWords, fixedWords].filter(Boolean).join(', ')}
              min={first.at}
              max={last.at}
              step={daySeconds}
              value={at}
              onChange={setRead}
              area={area}
              hovers
            />
          </>
        )}
      </div>
      <figcaption className={`${styles['caption']} ${wide && read === null ? styles['idle'] : ''}`}>
        <span>{formats.day(at)}</span>
        <span className={styles['floatingWord']}>{floatingWords}</span>
        {fixedWords !== null && <span className={styles['fixedWord']}>{fixedWords}</span>}
      </figcaption>
    </figure>
  )
}

/** Names a line at its right end and shows its last value. Positions are in pixels. */
export function EndLabel(props: {
  x: number
  y: number
  look: 'floatingText' | 'fixedText'
  name: string
  value: string
}) {
  return (
    <text className={styles[props.look]} x={props.x} y={props.y}>
      <tspan>{props.name}</tspan>
      <tspan className={styles['rate']} x={props.x} dy="1.2em">
        {props.value}
      </tspan>
    </text>
  )
}

import type { Token } from '@firmquote/react'
import { scaleLinear } from 'd3-scale'
import { useId, useRef, useState } from 'react'
import { formatUnits, parseUnits } from 'viem'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { apart, dayStarts, monthStarts } from '../../ui/chartLayout.ts'
import { PlotSlider } from '../../ui/PlotSlider.tsx'
import plot from '../../ui/plot.module.css'
import chart from '../../ui/RateChart.module.css'
import { EndLabel } from '../../ui/RateChart.tsx'
import { useLetterScale } from '../../ui/useLetterScale.ts'
import { useWidth } from '../../ui/useWidth.ts'
import styles from './AccrualChart.module.css'
import type { Accrual, AccrualPoint } from './accrual.ts'

const fewDays = 100 * 86_400

/**
 * A line chart of a position's accrued interest and its cost, with projected days dashed. A pointer or the arrow keys
 * move through the chart day by day.
 */
export function AccrualChart({ accrual, token }: { accrual: Accrual; token: Token }) {
  const { past, future, evenAt } = accrual
  const formats = useFormats()
  const { accrual: words } = usePositionsTexts()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const letters = useLetterScale()
  const [read, setRead] = useState<number | null>(null)

  // The first projected point repeats the last exact one.
  const points = [...past, ...future.slice(1)]
  const [first, last, now] = [points[0], points.at(-1), past.at(-1)]
  if (!first || !last || !now) return null
  const wide = width >= 560 * letters
  const height = wide ? 240 : 200
  const [top, bottom] = [28 * letters, height - 28 * letters]
  const sizeOf = (amount: bigint) => Number(formatUnits(amount, token.decimals))
  const highest = Math.max(...points.flatMap(({ payout, cost }) => [sizeOf(payout), sizeOf(cost)]))
  const y = scaleLinear()
    .domain([0, highest === 0 ? 1 : highest])
    .rangeRound([bottom, top])
    .nice(4)
  const rows = y.ticks(4).map((size) => ({
    size,
    // Digits beyond the eighth are only the tick's rounding error.
    label: formats.amount(parseUnits(size.toFixed(Math.min(8, token.decimals)), token.decimals), token),
  }))
  const longest = Math.max(...rows.map(({ label }) => label.length))
  const lastInterest = formats.amount(last.payout, token)
  const lastCost = formats.cost(last.cost, token)
  const letterCount = Math.max(lastInterest.length, lastCost.length, words.interest.length, words.cost.length)
  const area = {
    left: Math.max(40, (longest * 8 + 6) * letters + 8),
    right: width - (wide ? letterCount * 8.5 * letters + 18 : 8),
    top,
    bottom,
  }
  const x = scaleLinear()
    .domain([first.at, Math.max(last.at, first.at + 1)])
    .rangeRound([area.left, area.right])
  const index = Math.min(read ?? past.length - 1, points.length - 1)
  const spot = points[index] ?? now
  const day = index < past.length ? formats.day(spot.at) : words.projected(formats.day(spot.at))
  const interest = `${words.interest} ${formats.withSymbol(formats.amount(spot.payout, token), token)}`
  const cost = `${words.cost} ${formats.withSymbol(formats.cost(spot.cost, token), token)}`
  const short = last.at - first.at < fewDays
  const most = Math.max(2, Math.floor((area.right - area.left) / (72 * letters)))
  const [interestLabel, costLabel] = apart(y(sizeOf(last.payout)), y(sizeOf(last.cost)), 40 * letters)

  const pathOf = (line: readonly AccrualPoint[], key: 'payout' | 'cost') =>
    line
      .map((point, place) => `${place === 0 ? 'M' : 'L'}${x(point.at).toFixed(1)} ${y(sizeOf(point[key])).toFixed(1)}`)
      .join('')
  const half = 26 * letters
  const within = (at: number) => Math.min(Math.max(x(at), area.left + half), width - half)

  return (
    <figure className={chart['figure']}>
      <div ref={frame} className={plot['frame']} style={{ height }} onPointerLeave={() => setRead(null)}>
        {width > 0 && (
          <>
            <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-labelledby={`${id}t`}>
              <title id={`${id}t`}>{words.picture}</title>
              {rows.map(({ size, label }) => (
                <g key={size}>
                  <line className={plot['grid']} x1={area.left} x2={area.right} y1={y(size)} y2={y(size)} />
                  <text className={chart['label']} x={area.left - 8} y={y(size)} dy="0.32em" textAnchor="end">
                    {label}
                  </text>
                </g>
              ))}
              {(short ? dayStarts : monthStarts)(first.at, last.at, most).map((at) => (
                <text key={at} className={chart['label']} x={within(at)} y={height - 8 * letters} textAnchor="middle">
                  {short ? formats.dayOfYear(at) : formats.month(at)}
                </text>
              ))}
              {future.length > 0 && (
                <>
                  <line className={plot['hand']} x1={x(now.at)} x2={x(now.at)} y1={area.top - 6} y2={area.bottom} />
                  <text className={chart['label']} x={within(now.at)} y={area.top - 12} textAnchor="middle">
                    {words.today}
                  </text>
                </>
              )}
              <path className={chart['fixedLine']} d={pathOf(past, 'cost')} />
              <path className={`${chart['fixedLine']} ${styles['projected']}`} d={pathOf(future, 'cost')} />
              <path className={chart['floating']} d={pathOf(past, 'payout')} />
              <path className={`${chart['floating']} ${styles['projected']}`} d={pathOf(future, 'payout')} />
              {evenAt !== null && <Even at={evenAt} points={points} x={x} y={(amount) => y(sizeOf(amount))} />}
              {wide && (
                <>
                  <EndLabel
                    x={area.right + 10}
                    y={interestLabel}
                    look="floatingText"
                    name={words.interest}
                    value={lastInterest}
                  />
                  <EndLabel x={area.right + 10} y={costLabel} look="fixedText" name={words.cost} value={lastCost} />
                </>
              )}
              {read !== null && (
                <line className={plot['hand']} x1={x(spot.at)} x2={x(spot.at)} y1={area.top} y2={area.bottom} />
              )}
              <circle className={chart['spot']} cx={x(spot.at)} cy={y(sizeOf(spot.payout))} r={4.5} />
            </svg>
            <PlotSlider
              label={words.day}
              valueText={[day, interest, cost].join(', ')}
              min={0}
              max={points.length - 1}
              step={1}
              value={index}
              onChange={setRead}
              area={area}
              hovers
            />
          </>
        )}
      </div>
      <figcaption className={chart['caption']}>
        <span>{day}</span>
        <span className={chart['floatingWord']}>{interest}</span>
        <span className={chart['fixedWord']}>{cost}</span>
      </figcaption>
    </figure>
  )
}

/** Marks where the interest reaches the cost, on the cost line. */
function Even(props: {
  at: number
  points: readonly AccrualPoint[]
  x: (at: number) => number
  y: (amount: bigint) => number
}) {
  const { at, points, x, y } = props
  const point = points.find((one) => one.at >= at)
  return point ? <circle className={styles['even']} cx={x(at)} cy={y(point.cost)} r={4.5} /> : null
}

import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useFormats } from '../../copy/words.ts'
import styles from './PlotAxes.module.css'
import { clearBox, pickTicks, type Spot } from './plotLayout.ts'

/** The plot's background: both axes, a line for each maturity, and the variable rate. */
export function PlotAxes(props: {
  area: { left: number; right: number; top: number; bottom: number }
  rates: readonly { percent: number; y: number }[]
  maturities: readonly { expiry: number; x: number }[]
  floating: { percent: number; y: number }
  points: readonly Spot[]
  wide: boolean
  /** The visitor's font size relative to the default. */
  letters: number
  /** Unix seconds. */
  now: number
}) {
  const formats = useFormats()
  const { plot } = useRatesTexts().curve
  const { area, rates, maturities, floating, points, wide, letters, now } = props
  const fractionDigits = rates.every(({ percent }) => Number.isInteger(percent)) ? 0 : 1
  const label = wide ? plot.variableRate(formats.rate(floating.percent)) : plot.variable
  const size = { width: label.length * 7 * letters, height: 20 * letters }
  const [start, end] = [area.left + 4, area.right - size.width]
  const [above, below] = [floating.y - 4 - size.height, floating.y + 4]
  const spot = clearBox(
    [
      { x: end, y: above, ...size },
      { x: end, y: below, ...size },
      { x: start, y: above, ...size },
      { x: start, y: below, ...size },
    ],
    points,
  )
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it contains nothing focusable
    <g aria-hidden="true">
      <text className={styles['label']} x={0} y={14 * letters}>
        {plot.axis}
      </text>
      {rates.map(({ percent, y }) => (
        <g key={percent}>
          <line className={styles['grid']} x1={area.left} x2={area.right} y1={y} y2={y} />
          <text className={styles['label']} x={area.left - 8} y={y} dy="0.32em" textAnchor="end">
            {formats.rate(percent, percent === 0 ? 0 : fractionDigits)}
          </text>
        </g>
      ))}
      {maturities.map(({ expiry, x }) => (
        <line key={expiry} className={styles['grid']} x1={x} x2={x} y1={area.top} y2={area.bottom + 5} />
      ))}
      {pickTicks([{ expiry: now, x: area.left }, ...maturities], 48 * letters).map(({ expiry, x }) => (
        <text key={expiry} className={styles['label']} x={x} y={area.bottom + 20 * letters} textAnchor="middle">
          <tspan className={styles['day']}>{expiry === now ? plot.today : formats.dayOfYear(expiry)}</tspan>
          {expiry > now && (
            <tspan x={x} dy="1.3em">
              {formats.duration(expiry - now, 1)}
            </tspan>
          )}
        </text>
      ))}
      <line className={styles['floating']} x1={area.left} x2={area.right} y1={floating.y} y2={floating.y} />
      {/* If the label does not fit, the legend shows the rate. */}
      {size.width <= area.right - area.left && (
        <text
          className={styles['floatingLabel']}
          x={spot.x === end ? area.right : start}
          y={spot.y + 14 * letters}
          textAnchor={spot.x === end ? 'end' : 'start'}
        >
          {label}
        </text>
      )}
    </g>
  )
}

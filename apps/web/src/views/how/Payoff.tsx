import { scaleLinear } from 'd3-scale'
import { useId, useRef, useState } from 'react'
import { useHowTexts } from '../../copy/howTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { type Payoff as Costs, payoffAt } from '../../fixing/outcome/payoffAt.ts'
import { Amount } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { PlotSlider } from '../../ui/PlotSlider.tsx'
import plot from '../../ui/plot.module.css'
import { useLetterScale } from '../../ui/useLetterScale.ts'
import { useWidth } from '../../ui/useWidth.ts'
import styles from './Payoff.module.css'

// A constant example, so that the plot works before the visitor chooses a market.
const token = { symbol: 'USDC', decimals: 6 }
const days = 91
const seconds = days * 86_400
const notional = 100_000n * 10n ** 6n
const cost = 1_620_550_000n
const fixing = { notional, cost, seconds }
const breakEvenApy = effectiveApyOf({ notional, vrtAmount: cost }, seconds, 0)
const highestPercent = 16
const startPercent = 9

/**
 * An interactive plot of a fixed debt's payoff: totals with and without fixing, and the calculation at each point.
 */
export function Payoff() {
  const formats = useFormats()
  const words = useHowTexts().payoff
  const [percent, setPercent] = useState(startPercent)
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const letters = useLetterScale()
  const payoff = payoffAt(fixing, percent)
  const wide = width >= 560 * letters
  const height = wide ? 300 : 240
  const area = {
    left: (wide ? 56 : 48) * letters,
    right: width - 20 * letters,
    top: 16,
    bottom: height - 32 * letters,
  }
  const most = payoffAt(fixing, highestPercent).floatingTotal
  const x = scaleLinear([0, highestPercent], [area.left, area.right])
  // Used only for pixel positions, never for amounts, so floating point is precise enough.
  const y = scaleLinear([0, Number(most)], [area.bottom, area.top])
  const [fixedY, floatingY] = [y(Number(payoff.fixedTotal)), y(Number(payoff.floatingTotal))]
  /** Compounding bends both lines slightly. */
  const lineOf = (total: (payoff: Costs) => bigint) =>
    x
      .ticks(highestPercent)
      .map((at) => `${x(at)} ${y(Number(total(payoffAt(fixing, at))))}`)
      .join('L')
  const ticks = [0n, 1_000n, 2_000n, 3_000n].map((whole) => whole * 10n ** 6n)

  return (
    <div className={styles['payoff']}>
      <p className={styles['example']}>
        {words.example(
          formats.withSymbol(formats.amount(notional, token), token),
          formats.time(seconds),
          formats.withSymbol(formats.cost(cost, token), token),
        )}
      </p>
      <div className={styles['figures']}>
        <HeroFigure label={words.withFixing} tone="fixed">
          <Amount cost value={payoff.fixedTotal} token={token} />
        </HeroFigure>
        <HeroFigure label={words.withoutFixing} tone="floating">
          <Amount cost value={payoff.floatingTotal} token={token} />
        </HeroFigure>
      </div>
      <div ref={frame} className={plot['frame']} style={{ height }}>
        {width > 0 && (
          <>
            <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-labelledby={`${id}t`}>
              <title id={`${id}t`}>{words.plot}</title>
              {ticks.map((amount) => (
                <g key={amount.toString()}>
                  <line
                    className={plot['grid']}
                    x1={area.left}
                    x2={area.right}
                    y1={y(Number(amount))}
                    y2={y(Number(amount))}
                  />
                  <text
                    className={styles['label']}
                    x={area.left - 8}
                    y={y(Number(amount))}
                    dy="0.32em"
                    textAnchor="end"
                  >
                    {formats.amount(amount, token)}
                  </text>
                </g>
              ))}
              {x.ticks((wide ? 8 : 4) / letters).map((tick) => (
                <text key={tick} className={styles['label']} x={x(tick)} y={height - 10 * letters} textAnchor="middle">
                  {formats.rate(tick, 0)}
                </text>
              ))}
              <path
                className={styles['difference']}
                data-saves={payoff.floatingTotal > payoff.fixedTotal}
                d={`M${x(percent)} ${floatingY}V${fixedY}`}
              />
              <path className={styles['floating']} d={`M${lineOf(({ floatingTotal }) => floatingTotal)}`} />
              <path className={styles['fixed']} d={`M${lineOf(({ fixedTotal }) => fixedTotal)}`} />
              <text className={styles['fixedText']} x={area.left + 8} y={y(Number(cost)) - 8}>
                {words.fixed}
              </text>
              <text className={styles['floatingText']} x={x(13.4)} y={y(Number(most) * 0.84) - 10} textAnchor="end">
                {words.floating}
              </text>
              <line className={plot['hand']} x1={x(percent)} x2={x(percent)} y1={area.top} y2={area.bottom} />
              <circle className={styles['floatingSpot']} cx={x(percent)} cy={floatingY} r={6} />
              <circle className={styles['fixedSpot']} cx={x(percent)} cy={fixedY} r={6} />
              <path className={styles['grip']} d={`M${x(percent)} ${area.bottom - 9}l9 9l-9 9l-9 -9z`} />
            </svg>
            <PlotSlider
              label={words.slider}
              valueText={words.said(
                formats.rate(percent),
                formats.withSymbol(formats.cost(payoff.fixedTotal, token), token),
                formats.withSymbol(formats.cost(payoff.floatingTotal, token), token),
              )}
              min={0}
              max={highestPercent}
              step={0.1}
              value={percent}
              onChange={setPercent}
              area={{ ...area, bottom: height }}
            />
          </>
        )}
      </div>
      <dl className={styles['sum']}>
        <div>
          <dt>{words.average}</dt>
          <dd className={styles['rate']}>{formats.rate(percent)}</dd>
        </div>
        <Line name={words.cost} value={payoff.fixedCost} cost />
        <Line name={words.interest} value={payoff.interest} sign="+" />
        <Line name={words.payout} value={payoff.payout} sign="−" />
        <Line name={words.total} value={payoff.fixedTotal} cost total />
      </dl>
      <p>{words.breakEven(formats.rate(breakEvenApy))}</p>
    </div>
  )
}

function Line(props: { name: string; value: bigint; sign?: string; cost?: boolean; total?: boolean }) {
  const { name, value, sign, cost = false, total = false } = props
  return (
    <div className={total ? styles['total'] : undefined}>
      <dt>{name}</dt>
      <dd>
        {sign !== undefined && <span className={styles['sign']}>{sign} </span>}
        <Amount cost={cost} value={value} token={token} />
      </dd>
    </div>
  )
}

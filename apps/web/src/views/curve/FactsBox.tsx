import { formatRate } from '@firmquote/sdk'
import { useLayoutEffect, useRef, useState } from 'react'
import { formatDay } from '../../ui/figures.tsx'
import { Tag } from '../../ui/Tag.tsx'
import type { CurvePoint } from './curvePoints.ts'
import styles from './FactsBox.module.css'
import { placeFacts, type Spot } from './plotLayout.ts'
import type { PointFacts } from './pointFacts.ts'

/** A point's facts beside it. Visual only: screen readers get them on focus, and in the table. */
export function FactsBox(props: {
  point: CurvePoint
  facts: PointFacts
  spot: Spot
  plot: { width: number; height: number }
}) {
  const { point, facts, spot, plot } = props
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (box.current) setSize({ width: box.current.offsetWidth, height: box.current.offsetHeight })
  }, [])
  const { x, y } = placeFacts(spot, size, plot)
  return (
    <div ref={box} className={styles['box']} style={{ left: x, top: y }} aria-hidden="true">
      <p className={styles['head']}>
        <span>{formatDay(point.expiry)}</span>
        <Tag tone={point.kind}>{point.kind}</Tag>
      </p>
      <p className={styles['rate']}>
        {formatRate(point.apr)} <span>APR fixed</span>
      </p>
      <dl className={styles['facts']}>
        {facts.facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['next']}>
        {point.kind === 'firm' ? 'Press to open the quote' : 'Press to ask for quotes of your own'}
      </p>
    </div>
  )
}

import { useRef } from 'react'
import type { CurvePoint } from './curvePoints.ts'
import styles from './PlotPoint.module.css'
import type { Spot } from './plotLayout.ts'

/** A point of the plot: a link that shows its facts when it is pointed at or focused. */
export function PlotPoint(props: {
  kind: CurvePoint['kind']
  spot: Spot
  /** Whether its rate lies above the axis. */
  beyond: boolean
  /** How far around it a pointer means it, pixels. */
  reach: number
  label: string
  href: string
  shown: boolean
  onShow: () => void
  onHide: () => void
  onFocus: () => void
}) {
  const { kind, spot, shown, onShow } = props
  // A finger cannot hover: its first touch shows, its second one follows.
  const showsFirst = useRef(false)
  return (
    <g transform={`translate(${spot.x} ${spot.y})`}>
      <a
        href={props.href}
        aria-label={props.label}
        className={styles['point']}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onShow()}
        onPointerDown={({ pointerType }) => {
          showsFirst.current = pointerType === 'touch' && !shown
          onShow()
        }}
        onClick={(event) => showsFirst.current && event.preventDefault()}
        onKeyDown={() => {
          showsFirst.current = false
        }}
        onFocus={() => {
          onShow()
          props.onFocus()
        }}
        onBlur={props.onHide}
      >
        <circle className={styles['reach']} r={props.reach} />
        <circle className={styles['ring']} r={shown ? 10 : 0} />
        {props.beyond && <path className={styles['arrow']} d="M-5 -12L0 -18L5 -12" />}
        <circle className={styles[kind]} r={kind === 'firm' ? 5.5 : 6} />
      </a>
    </g>
  )
}

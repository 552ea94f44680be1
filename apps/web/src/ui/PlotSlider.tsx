import type { CSSProperties } from 'react'
import styles from './PlotSlider.module.css'

/**
 * An invisible slider on top of a plot. Lets visitors move along the axis by pointer, touch or arrow keys, and lets
 * screen readers read the value. `area` is in pixels from the plot's top left corner.
 */
export function PlotSlider(props: {
  label: string
  /** The value for screen readers: all figures at that position. */
  valueText: string
  min: number
  max: number
  step: number
  value: number
  onChange: (value: number) => void
  area: { left: number; right: number; top: number; bottom: number }
  /** Whether the value follows a hovering mouse. */
  hovers?: boolean
}) {
  const { area, min, max, step, onChange } = props
  const place: CSSProperties = {
    left: area.left,
    top: area.top,
    width: Math.max(0, area.right - area.left),
    height: Math.max(0, area.bottom - area.top),
  }
  return (
    <input
      type="range"
      className={styles['slider']}
      style={place}
      aria-label={props.label}
      aria-valuetext={props.valueText}
      min={min}
      max={max}
      step={step}
      value={props.value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      onPointerMove={({ pointerType, currentTarget, clientX }) => {
        if (!props.hovers || pointerType !== 'mouse') return
        const { left, width } = currentTarget.getBoundingClientRect()
        const share = Math.min(1, Math.max(0, (clientX - left) / width))
        onChange(min + Math.round((share * (max - min)) / step) * step)
      }}
    />
  )
}

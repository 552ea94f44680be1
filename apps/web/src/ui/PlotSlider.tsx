import { useMemo } from 'react'
import { Input } from './Input.tsx'
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
  const { left, right, top, bottom } = area
  const place = useMemo(
    () => ({ left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }),
    [left, right, top, bottom],
  )
  return (
    <Input
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

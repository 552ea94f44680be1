import type { ReactNode } from 'react'
import styles from './HeroFigure.module.css'

/**
 * Shows a view's main figure in large digits: a rate, or an amount with its unit. `tone` is the kind of figure, and
 * `note` states its conditions.
 */
export function HeroFigure(props: {
  label: ReactNode
  tone?: 'fixed' | 'floating'
  note?: ReactNode
  /** Data attributes for the figure, such as a price's. */
  data?: Readonly<Record<`data-${string}`, string>>
  /** `Rate` or `Amount`. */
  children: ReactNode
}) {
  return (
    <dl className={styles['hero']} {...props.data}>
      <dt>{props.label}</dt>
      <dd className={`${styles['value']} ${props.tone ? styles[props.tone] : ''}`}>{props.children}</dd>
      {props.note !== undefined && <dd className={styles['note']}>{props.note}</dd>}
    </dl>
  )
}

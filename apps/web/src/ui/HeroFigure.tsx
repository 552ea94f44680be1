import type { ReactNode } from 'react'
import styles from './HeroFigure.module.css'

/**
 * The one figure that a view is about, in large digits: a rate or an amount, with its unit inside. `tone` says what it is a
 * figure of; `note` what it holds for.
 */
export function HeroFigure(props: {
  label: string
  tone?: 'fixed' | 'floating'
  note?: ReactNode
  /** Attributes of its figure, as of a price. */
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

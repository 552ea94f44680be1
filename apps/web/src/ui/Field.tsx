import { type ReactNode, useId } from 'react'
import styles from './Field.module.css'

/** What an input of a {@link Field} must carry. */
export type FieldIds = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** A labelled input, with a line beneath it: a hint, or what is wrong. */
export function Field(props: {
  label: string
  hint?: ReactNode
  /** In a sentence. */
  error?: string | undefined
  children: (ids: FieldIds) => ReactNode
}) {
  const id = useId()
  const note = props.error ?? props.hint
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': props.error === undefined ? undefined : true,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={props.error === undefined ? styles['hint'] : styles['error']}>
          {note}
        </p>
      )}
    </div>
  )
}

/** One of a few, all of them in sight, as chips; `detail` is a second line, as the rate of a term, `none` one that cannot be had. */
export function Choice<T extends string>(props: {
  legend: string
  /** The legend for screen readers alone. */
  silent?: boolean
  options: readonly { value: T; label: string; detail?: ReactNode; none?: boolean }[]
  value: T
  onChange: (value: T) => void
  hint?: ReactNode
  /** In a sentence. */
  error?: string | undefined
}) {
  const name = useId()
  const note = props.error ?? props.hint
  return (
    <fieldset
      className={styles['choice']}
      aria-describedby={note === undefined ? undefined : `${name}-note`}
      data-invalid={props.error === undefined ? undefined : true}
    >
      <legend className={props.silent ? 'unseen' : undefined}>{props.legend}</legend>
      {props.options.map(({ value, label, detail, none }) => (
        <label key={value}>
          <input
            type="radio"
            className="unseen"
            name={name}
            value={value}
            checked={value === props.value}
            disabled={none}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
          {detail !== undefined && <span className={styles['detail']}>{detail}</span>}
        </label>
      ))}
      {note !== undefined && (
        <p id={`${name}-note`} className={`${styles['under']} ${styles[props.error === undefined ? 'hint' : 'error']}`}>
          {note}
        </p>
      )}
    </fieldset>
  )
}

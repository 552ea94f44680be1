import { type ReactNode, useId } from 'react'
import { useTexts } from '../copy/words.ts'
import { Button } from './Button.tsx'
import styles from './Field.module.css'
import { Input } from './Input.tsx'

/** Attributes required on the input in a {@link Field}. */
export type FieldIds = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** A labelled input with a hint or an error message below it, and a button for each way to correct the error. */
export function Field(props: {
  label: string
  hint?: ReactNode
  /** A full sentence. */
  error?: string | undefined
  /** Possible meanings of the input's text. */
  corrections?: readonly string[] | undefined
  onCorrect?: (text: string) => void
  children: (ids: FieldIds) => ReactNode
}) {
  const { amounts } = useTexts()
  const id = useId()
  const note = props.error ?? props.hint
  const corrections = (props.error !== undefined && props.corrections) || []
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
      {corrections.length > 0 && (
        <div className={styles['corrections']}>
          {corrections.map((text) => (
            <Button
              key={text}
              onClick={() => {
                props.onCorrect?.(text)
                // This button disappears.
                document.getElementById(id)?.focus()
              }}
            >
              {amounts.use(text)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/**
 * Radio buttons shown as chips. `detail` is a second line, such as a term's rate. `none` marks an unavailable option.
 */
export function Choice<T extends string>(props: {
  legend: string
  /** Hides the legend visually but keeps it available to screen readers. */
  silent?: boolean
  options: readonly { value: T; label: string; detail?: ReactNode; none?: boolean }[]
  value: T
  onChange: (value: T) => void
  hint?: ReactNode
  /** A full sentence. */
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
          <Input
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

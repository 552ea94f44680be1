import { type ReactNode, useId } from 'react'
import styles from './Checkbox.module.css'
import { Input } from './Input.tsx'

/** A labelled checkbox. */
export function Checkbox(props: {
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  children: ReactNode
}) {
  const { checked, onChange, disabled = false, children } = props
  const id = useId()
  return (
    <div className={styles['check']}>
      <Input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{children}</label>
    </div>
  )
}

import styles from './AmountInput.module.css'
import type { FieldIds } from './Field.tsx'
import { Input } from './Input.tsx'

/** An amount input followed by the token's symbol. */
export function AmountInput(props: {
  ids: FieldIds
  symbol: string | undefined
  value: string
  onChange: (text: string) => void
  /** Called on blur if the input is not empty. */
  onLeave?: () => void
}) {
  const { ids, symbol, value, onChange, onLeave } = props
  return (
    <span className={styles['amount']}>
      <Input
        {...ids}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onBlur={() => value.trim() !== '' && onLeave?.()}
      />
      <span className={styles['unit']}>{symbol}</span>
    </span>
  )
}

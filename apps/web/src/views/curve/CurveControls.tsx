import type { Pool } from '@firmquote/react'
import { useState } from 'react'
import { marketName } from '../../copy/marketName.ts'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { type AmountMistake, readAmount } from '../../copy/readAmount.ts'
import { useWords } from '../../copy/words.ts'
import { rescale } from '../../fixing/rescale.ts'
import type { CurveAddress } from '../../routes.ts'
import { Choice, Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import styles from './CurveControls.module.css'

const commonSizes = [100_000n, 250_000n, 1_000_000n]

/** Controls for the pool, the size and the kind of points. `unfixed` is the account's unfixed amount, in raw units. */
export function CurveControls(props: {
  pools: readonly Pool[]
  pool: Pool
  size: bigint
  unfixed: bigint | null
  firmOnly: boolean
  onChange: (change: CurveAddress) => void
}) {
  const { pools, pool, size, unfixed, firmOnly, onChange } = props
  const words = useWords()
  const { formats } = words
  const { common, amounts } = words.texts
  const { controls } = useRatesTexts().curve
  const { loanToken: token } = pool
  const { decimals, symbol } = token
  // The text being typed, or null once applied as the size.
  const [draft, setDraft] = useState<string | null>(null)
  const read = (text: string): { size: bigint } | AmountMistake => {
    const result = readAmount(text, token, words)
    if ('mistake' in result) return result
    return result.amount > 0n ? { size: result.amount } : { mistake: amounts.zero, corrections: [] }
  }
  const reading = draft === null ? { size } : read(draft)
  const type = (text: string) => {
    setDraft(text)
    const next = read(text)
    if ('size' in next) onChange(next)
  }

  return (
    <div className={styles['controls']}>
      <Field label={common.names.market}>
        {(ids) => (
          <select
            {...ids}
            value={pool.poolId}
            onChange={({ target }) => {
              const next = pools.find(({ poolId }) => poolId === target.value)
              setDraft(null)
              if (next) onChange({ poolId: next.poolId, size: rescale(size, decimals, next.loanToken.decimals) })
            }}
          >
            {pools.map((one) => (
              <option key={one.poolId} value={one.poolId}>
                {marketName(one, words)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={controls.amount(symbol)}
        error={'mistake' in reading ? reading.mistake : undefined}
        corrections={'mistake' in reading ? reading.corrections : undefined}
        onCorrect={type}
      >
        {(ids) => (
          <Input
            {...ids}
            inputMode="decimal"
            autoComplete="off"
            value={draft ?? formats.input(size, token)}
            onChange={({ target }) => type(target.value)}
            onBlur={() => {
              if ('size' in reading) setDraft(null)
            }}
          />
        )}
      </Field>
      <Choice
        legend={controls.common}
        options={[
          ...(unfixed !== null && unfixed > 0n ? [{ value: unfixed.toString(), label: controls.unfixed }] : []),
          ...commonSizes.map((amount) => ({
            value: (amount * 10n ** BigInt(decimals)).toString(),
            label: formats.count(amount),
          })),
        ]}
        value={size.toString()}
        onChange={(value) => {
          setDraft(null)
          onChange({ size: BigInt(value) })
        }}
      />
      <Choice
        legend={controls.show}
        options={[
          { value: 'all', label: controls.all },
          { value: 'firm', label: controls.firmOnly },
        ]}
        value={firmOnly ? 'firm' : 'all'}
        onChange={(value) => onChange({ firmOnly: value === 'firm' })}
      />
    </div>
  )
}

import { formatPrincipal } from '@firmquote/sdk'
import { useState } from 'react'
import type { CurveAddress } from '../../routes.ts'
import { poolName } from '../../service/poolName.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Choice, Field } from '../../ui/Field.tsx'
import styles from './CurveControls.module.css'
import { parseSize, rescale } from './parseSize.ts'

const commonSizes = [100_000n, 250_000n, 1_000_000n]
const kinds = [
  { value: 'all', label: 'Firm and indicative' },
  { value: 'firm', label: 'Firm only' },
] as const

/** Which pool, how much, and which points. */
export function CurveControls(props: {
  pools: readonly Pool[]
  pool: Pool
  size: bigint
  firmOnly: boolean
  onChange: (change: CurveAddress) => void
}) {
  const { pools, pool, size, firmOnly, onChange } = props
  const { decimals, symbol } = pool.loanToken
  // What is being typed; nothing once it has become the size.
  const [draft, setDraft] = useState<string | null>(null)
  const reading = draft === null ? { size } : parseSize(draft, decimals)

  return (
    <div className={styles['controls']}>
      <Field label="Pool">
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
                {poolName(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={`Amount to fix, ${symbol}`} error={'error' in reading ? reading.error : undefined}>
        {(ids) => (
          <input
            {...ids}
            inputMode="decimal"
            autoComplete="off"
            value={draft ?? formatPrincipal(size, decimals)}
            onChange={({ target }) => {
              setDraft(target.value)
              const read = parseSize(target.value, decimals)
              if ('size' in read) onChange(read)
            }}
            onBlur={() => {
              if ('size' in reading) setDraft(null)
            }}
          />
        )}
      </Field>
      <Choice
        legend="Common amounts"
        options={commonSizes.map((common) => ({
          value: (common * 10n ** BigInt(decimals)).toString(),
          label: formatPrincipal(common, 0),
        }))}
        value={size.toString()}
        onChange={(value) => {
          setDraft(null)
          onChange({ size: BigInt(value) })
        }}
      />
      <Choice
        legend="Points"
        options={kinds}
        value={firmOnly ? 'firm' : 'all'}
        onChange={(value) => onChange({ firmOnly: value === 'firm' })}
      />
    </div>
  )
}

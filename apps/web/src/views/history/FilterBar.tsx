import { formatAddress } from '@firmquote/sdk'
import { type ReactNode, useId } from 'react'
import type { Address, Hex } from 'viem'
import type { HistoryFilters } from '../../routes.ts'
import { poolName } from '../../service/poolName.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Field } from '../../ui/Field.tsx'
import { formatDay } from '../../ui/figures.tsx'
import styles from './HistoryView.module.css'

/** The four filters. They work at once, so there is nothing to send. */
export function FilterBar(props: {
  pools: readonly Pool[]
  filters: HistoryFilters
  choices: { expiries: readonly number[]; makers: readonly Address[] }
  onChange: (filters: HistoryFilters) => void
  children: ReactNode
}) {
  const { pools, filters, choices, onChange } = props
  const { poolId, expiry, maker, executable } = filters
  const id = useId()
  const pick = (label: string, value: string, options: [string, string][], change: (value: string) => void) => (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ target }) => change(target.value)}>
          <option value="">All</option>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  return (
    <search aria-label="Filters" className={styles['filters']}>
      {pick('Pool', poolId ?? '', poolOptions(pools, poolId), (value) => {
        const rest = without(filters, 'poolId')
        onChange(value === '' ? rest : { ...rest, poolId: value as Hex })
      })}
      {pick(
        'Maturity',
        expiry?.toString() ?? '',
        choices.expiries.map((day) => [day.toString(), formatDay(day)]),
        (value) => {
          const rest = without(filters, 'expiry')
          onChange(value === '' ? rest : { ...rest, expiry: Number(value) })
        },
      )}
      {pick(
        'Maker',
        maker ?? '',
        choices.makers.map((address) => [address, formatAddress(address)]),
        (value) => {
          const rest = without(filters, 'maker')
          onChange(value === '' ? rest : { ...rest, maker: value as Address })
        },
      )}
      <div className={styles['check']}>
        <input
          id={id}
          type="checkbox"
          checked={executable ?? false}
          onChange={({ target }) =>
            onChange(target.checked ? { ...filters, executable: true } : without(filters, 'executable'))
          }
        />
        <label htmlFor={id}>Only still executable</label>
      </div>
      {props.children}
    </search>
  )
}

function poolOptions(pools: readonly Pool[], chosen: Hex | undefined): [string, string][] {
  const known = pools.map((pool): [string, string] => [pool.poolId, poolName(pool)])
  return chosen === undefined || pools.some(({ poolId }) => poolId === chosen) ? known : [...known, [chosen, chosen]]
}

function without(filters: HistoryFilters, key: keyof HistoryFilters): HistoryFilters {
  const { [key]: _, ...rest } = filters
  return rest
}

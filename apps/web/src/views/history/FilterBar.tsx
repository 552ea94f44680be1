import type { Pool } from '@firmquote/react'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { marketName } from '../../copy/marketName.ts'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useWords, type Words } from '../../copy/words.ts'
import { type HistoryDays, type HistoryFilters, historyDays } from '../../routes.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import styles from './HistoryView.module.css'
import { daysOf } from './historyFilters.ts'

/** The history's filters, which apply immediately. */
export function FilterBar(props: {
  pools: readonly Pool[]
  filters: HistoryFilters
  /** Whether an account is connected, which enables filtering for its offers. */
  isConnected: boolean
  choices: { expiries: readonly number[]; makers: readonly Address[] }
  onChange: (filters: HistoryFilters) => void
  children: ReactNode
}) {
  const { pools, filters, choices, isConnected, onChange } = props
  const { poolId, expiry, maker } = filters
  const words = useWords()
  const { texts, formats } = words
  const { common } = texts
  const { history } = useRatesTexts()
  const all: [string, string] = ['', history.all]
  const pick = (label: string, value: string, options: [string, string][], change: (value: string) => void) => (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ target }) => change(target.value)}>
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
  const check = (name: 'executable' | 'mine', label: string) => (
    <Checkbox
      checked={filters[name] ?? false}
      onChange={(checked) => onChange(checked ? { ...filters, [name]: true } : without(filters, name))}
    >
      {label}
    </Checkbox>
  )
  return (
    <search aria-label={history.filters} className={styles['filters']}>
      <div className={styles['lists']}>
        {pick(common.names.market, poolId ?? '', [all, ...marketOptions(pools, poolId, words)], (value) => {
          const rest = without(filters, 'poolId')
          onChange(value === '' ? rest : { ...rest, poolId: value as Hex })
        })}
        {pick(
          common.names.until,
          expiry?.toString() ?? '',
          [all, ...choices.expiries.map((day): [string, string] => [day.toString(), formats.day(day)])],
          (value) => {
            const rest = without(filters, 'expiry')
            onChange(value === '' ? rest : { ...rest, expiry: Number(value) })
          },
        )}
        {pick(
          common.names.maker,
          maker ?? '',
          [all, ...choices.makers.map((address): [string, string] => [address, formats.address(address)])],
          (value) => {
            const rest = without(filters, 'maker')
            onChange(value === '' ? rest : { ...rest, maker: value as Address })
          },
        )}
        {pick(
          history.range,
          daysOf(filters).toString(),
          historyDays.map((days) => [days.toString(), history.ranges[days]]),
          (value) => onChange({ ...filters, days: Number(value) as HistoryDays }),
        )}
      </div>
      <div className={styles['checks']}>
        {check('executable', history.onlyTakeable)}
        {isConnected && check('mine', history.onlyMine)}
        {props.children}
      </div>
    </search>
  )
}

function marketOptions(pools: readonly Pool[], chosen: Hex | undefined, words: Words): [string, string][] {
  const known = pools.map((pool): [string, string] => [pool.poolId, marketName(pool, words)])
  return chosen === undefined || pools.some(({ poolId }) => poolId === chosen) ? known : [...known, [chosen, chosen]]
}

function without(filters: HistoryFilters, key: keyof HistoryFilters): HistoryFilters {
  const { [key]: _, ...rest } = filters
  return rest
}

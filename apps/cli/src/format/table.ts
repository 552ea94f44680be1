import Table from 'cli-table3'
import { printable } from './printable.ts'
import { plainStyle, type Style } from './style.ts'

/** A column with its title. `right` aligns numbers to the right. */
export type Column = { title: string; right?: boolean }

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const

/**
 * Renders rows under column titles, without borders, so that people and `awk` can both read them. Unsafe characters are
 * replaced.
 *
 * @returns lines without a trailing newline; only titles if there are no rows.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  style: Style = plainStyle,
): string {
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: columns.map(({ right }) => (right ? 'right' : 'left')),
    head: columns.map(({ title }) => title),
  })
  table.push(...rows.map((row) => row.map(printable)))
  const [head = '', ...lines] = table.toString().split('\n')
  return [style.dim(head.trimEnd()), ...lines.map((line) => line.trimEnd())].join('\n')
}

/** Renders name-value pairs, one per line, with aligned values. Unsafe characters in values are replaced. */
export function renderFacts(
  facts: readonly (readonly [name: string, value: string])[],
  style: Style = plainStyle,
): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${printable(value)}`.trimEnd()).join('\n')
}

import Table from 'cli-table3'
import { printable } from './printable.ts'
import { plainStyle, type Style } from './style.ts'

/** A column: its title, and whether its cells are numbers, which stand to the right. */
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
 * Lays out rows under their titles, without borders: the same for people and for `awk`. Cells are made safe to print.
 *
 * @returns lines without a last line break; titles alone when there are no rows.
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

/** Names and values, one pair a line, the values under each other. Values are made safe to print. */
export function renderFacts(
  facts: readonly (readonly [name: string, value: string])[],
  style: Style = plainStyle,
): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${printable(value)}`.trimEnd()).join('\n')
}

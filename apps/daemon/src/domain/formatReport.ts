import { formatAddress, formatPoolId, formatPrincipal, formatRate, formatTimestamp } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import type { Address } from 'viem'
import type { Figures, PositionReport, ReportedToken, Total } from './positionReport.ts'

/** Report format: a table in whole tokens, or JSON or CSV with raw units as decimal strings. */
export type ReportFormat = 'table' | 'json' | 'csv'

/** Formats a report, with a trailing newline. */
export function formatReport(report: PositionReport, format: ReportFormat): string {
  if (format === 'json') return `${encodeJson(report)}\n`
  return format === 'csv' ? formatCsv(report) : formatTables(report)
}

const csvColumns = [
  'positionId',
  'state',
  'borrower',
  'poolId',
  'seriesKey',
  'loanToken',
  'expiry',
  'notional',
  'premium',
  'floating',
  'pnl',
  'apr',
  'effectiveApy',
] as const

/** Formats one line per position. No value needs quoting, because no value is free text. */
function formatCsv({ positions }: PositionReport): string {
  const rows = positions.map((position) => csvColumns.map((column) => String(position[column] ?? '')).join(','))
  return [csvColumns.join(','), ...rows].map((line) => `${line}\n`).join('')
}

const figureTitles = ['NOTIONAL', 'PREMIUM', 'FLOATING', 'P&L']
const rateTitles = ['APR', 'EFF. APY']
const numbers = new Set(['POSITIONS', ...figureTitles, ...rateTitles])

function formatTables({ maker, chainId, block, tokens, positions, exposure, totals }: PositionReport): string {
  const figures = (loanToken: Address, { notional, premium, floating, pnl }: Figures) => {
    const token = tokens.find(({ address }) => address === loanToken)
    return [notional, premium, floating, pnl].map((amount) => showAmount(amount, token))
  }
  const counted = (loanToken: Address, total: Total) => [String(total.positions), ...figures(loanToken, total)]
  const symbolOf = (loanToken: Address) => tokens.find(({ address }) => address === loanToken)?.symbol ?? loanToken
  const sections = [
    `Maker ${maker} on chain ${chainId} at block ${block.number}, ${formatTimestamp(block.timestamp)}`,
    'Positions',
    renderTable(
      ['POSITION', 'STATE', 'BORROWER', 'SERIES', 'EXPIRY', ...rateTitles, ...figureTitles, 'TOKEN'],
      positions.map(({ positionId, state, borrower, seriesKey, expiry, loanToken, apr, effectiveApy, ...amounts }) => [
        String(positionId),
        state,
        formatAddress(borrower),
        formatPoolId(seriesKey),
        formatTimestamp(expiry),
        formatRate(apr),
        effectiveApy === null ? '-' : formatRate(effectiveApy),
        ...figures(loanToken, amounts),
        symbolOf(loanToken),
      ]),
    ),
    'Exposure: unsettled positions by series',
    renderTable(
      ['SERIES', 'EXPIRY', 'POSITIONS', ...figureTitles, 'TOKEN'],
      exposure.map(({ seriesKey, expiry, loanToken, ...total }) => [
        formatPoolId(seriesKey),
        formatTimestamp(expiry),
        ...counted(loanToken, total),
        symbolOf(loanToken),
      ]),
    ),
    'Totals',
    renderTable(
      ['SCOPE', 'POSITIONS', ...figureTitles, 'TOKEN'],
      totals.flatMap(({ loanToken, ...parts }) =>
        (['unsettled', 'settled', 'all'] as const).map((part) => [
          part,
          ...counted(loanToken, parts[part]),
          symbolOf(loanToken),
        ]),
      ),
    ),
  ]
  return `${sections.join('\n\n').replaceAll(/^(Positions|Exposure.*|Totals)\n\n/gm, '$1\n')}\n`
}

function showAmount(amount: bigint, token: ReportedToken | undefined): string {
  if (token === undefined) return `${amount} raw`
  const text = formatPrincipal(amount < 0n ? -amount : amount, token.decimals)
  return amount < 0n ? `-${text}` : text
}

/**
 * Renders a borderless table with right-aligned numbers. Replaces unsafe characters in cells, because anyone can choose
 * a token's symbol.
 */
function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'none'
  const isNumber = (column: number) => numbers.has(titles[column] ?? '')
  const cells = [titles, ...rows.map((row) => row.map(printable))]
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lay = (cell: string, column: number) =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return cells.map((row) => row.map(lay).join('  ').trimEnd()).join('\n')
}

// Characters that move the cursor, ring the bell, or change colours or text direction: C0, C1 and bidi controls.
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

function printable(text: string): string {
  return text.slice(0, 64).replace(unprintable, '\ufffd')
}

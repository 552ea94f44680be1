import { type AccountPositions, formatAddress, formatPoolId, type PoolRates } from '@firmquote/core'
import { showAmount, showInstant } from './show.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

const debtColumns = [{ title: 'POOL' }, { title: 'PROTOCOL' }, { title: 'MARKET' }, { title: 'DEBT', right: true }]
const positionColumns = [
  { title: 'POSITION', right: true },
  { title: 'ROLE' },
  { title: 'WITH' },
  { title: 'POOL' },
  { title: 'EXPIRY' },
  { title: 'SIZE', right: true },
  { title: 'COST', right: true },
  { title: 'BLOCK', right: true },
]

/** An account's variable-rate debts, then its fixed-rate positions. */
export function renderPositions(
  { debts, positions, block }: AccountPositions,
  pools: readonly PoolRates[],
  style: Style,
): string {
  const tokenOf = (poolId: string) => pools.find((pool) => pool.poolId === poolId)?.loanToken
  const debtRows = debts.map(({ poolId, protocol, market, debt }) => [
    formatPoolId(poolId),
    protocol,
    formatPoolId(market),
    showAmount(debt, tokenOf(poolId)),
  ])
  const positionRows = positions.map((position) => [
    String(position.positionId),
    position.role,
    formatAddress(position.role === 'maker' ? position.borrower : position.maker),
    formatPoolId(position.poolId),
    showInstant(position.expiry),
    showAmount(position.notional, tokenOf(position.poolId)),
    showAmount(position.cost, tokenOf(position.poolId)),
    String(position.openedAtBlock),
  ])
  return [
    style.bold(`Variable-rate debts at block ${block}`),
    debts.length === 0 ? 'none' : renderTable(debtColumns, debtRows, style),
    '',
    style.bold('Open fixed-rate positions'),
    positions.length === 0 ? 'none' : renderTable(positionColumns, positionRows, style),
  ].join('\n')
}

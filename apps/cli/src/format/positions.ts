import { type AccountPositions, type FixedPosition, formatAddress, formatPoolId, type PoolRates } from '@firmquote/core'
import { isAddressEqual } from 'viem'
import { showAmount, showInstant } from './show.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

const debtColumns = [{ title: 'POOL' }, { title: 'PROTOCOL' }, { title: 'MARKET' }, { title: 'DEBT', right: true }]
const creditColumns = [{ title: 'TOKEN' }, { title: 'AMOUNT', right: true }]
const positionColumns = [
  { title: 'POSITION', right: true },
  { title: 'ROLE' },
  { title: 'WITH' },
  { title: 'POOL' },
  { title: 'EXPIRY' },
  { title: 'SIZE', right: true },
  { title: 'COST', right: true },
  { title: 'BLOCK', right: true },
  { title: 'STATE' },
  { title: 'GETS', right: true },
]
const settledColumn = { title: 'SETTLED BY' }

/** An account's variable-rate debts, its fixed-rate positions (with the settled ones: `all`), and what it can withdraw. */
export function renderPositions(
  { debts, positions, block, withdrawable = [], nextCursor }: AccountPositions,
  pools: readonly PoolRates[],
  all: boolean,
  style: Style,
): string {
  const tokenOf = (poolId: string) => pools.find((pool) => pool.poolId === poolId)?.loanToken
  const debtRows = debts.map(({ poolId, protocol, market, debt }) => [
    formatPoolId(poolId),
    protocol,
    formatPoolId(market),
    showAmount(debt, tokenOf(poolId)),
  ])
  const positionRows = positions.map((position) => {
    const gets = getsOf(position)
    return [
      String(position.positionId),
      position.role,
      formatAddress(position.role === 'maker' ? position.borrower : position.maker),
      formatPoolId(position.poolId),
      showInstant(position.expiry),
      showAmount(position.notional, tokenOf(position.poolId)),
      showAmount(position.cost, tokenOf(position.poolId)),
      String(position.openedAtBlock),
      position.settlement ? 'settled' : position.settleable ? 'settleable' : 'open',
      gets === null ? '-' : showAmount(gets, tokenOf(position.poolId)),
      ...(all ? [position.settlement?.transactionHash ?? '-'] : []),
    ]
  })
  const creditRows = withdrawable.map(({ token, amount }) => [
    token,
    showAmount(amount, pools.find(({ loanToken }) => isAddressEqual(loanToken.address, token))?.loanToken),
  ])
  return [
    style.bold(`Variable-rate debts at block ${block}`),
    debts.length === 0 ? 'none' : renderTable(debtColumns, debtRows, style),
    '',
    style.bold(all ? 'Fixed-rate positions, newest first' : 'Open fixed-rate positions'),
    positions.length === 0
      ? 'none'
      : renderTable(all ? [...positionColumns, settledColumn] : positionColumns, positionRows, style),
    ...(nextCursor ? [`More: --cursor ${nextCursor}`] : []),
    ...(creditRows.length > 0
      ? ['', style.bold('To withdraw: firmquote settle --all'), renderTable(creditColumns, creditRows, style)]
      : []),
  ].join('\n')
}

/** What the account got of a position, or gets if the index of its market stays as it is; null when it is not known. */
function getsOf({ role, notional, cost, accrued, settlement }: FixedPosition): bigint | null {
  if (settlement) return role === 'maker' ? settlement.toMaker : settlement.toBorrower
  if (accrued === undefined) return null
  return role === 'maker' ? notional - accrued + cost : accrued
}

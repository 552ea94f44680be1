import {
  type AccountDebt,
  type AccountPositions,
  type FixedPosition,
  formatAddress,
  formatPoolId,
  type PoolRates,
} from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'
import { showAmount, showInstant, type Token } from './show.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

const healthColumns = [
  { title: 'COLLATERAL', right: true },
  { title: 'HEALTH', right: true },
]
const debtColumns = [
  { title: 'POOL' },
  { title: 'PROTOCOL' },
  { title: 'MARKET' },
  { title: 'DEBT', right: true },
  ...healthColumns,
]
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
  { title: 'CHECKPOINT' },
  { title: 'GETS', right: true },
]
const settledColumn = { title: 'SETTLED BY' }

type Shown = {
  /** Whether settled positions are included. */
  all: boolean
  style: Style
}

/** Renders an account's variable-rate debts, fixed-rate positions and withdrawable credits, one table each. */
export function renderPositions(
  { debts, positions, block, withdrawable = [] }: AccountPositions,
  pools: readonly PoolRates[],
  { all, style }: Shown,
): string {
  const debtRows = debts.map((entry) => [
    formatPoolId(entry.poolId),
    entry.protocol,
    formatPoolId(entry.market),
    showAmount(entry.debt, tokenOf(entry.poolId, pools)),
    collateralOf(entry, pools),
    healthOf(entry),
  ])
  const positionRows = positions.map((position) => positionRow(position, pools, all))
  const creditRows = withdrawable.map(({ token, amount }) => [token, showAmount(amount, tokenAt(token, pools))])
  return [
    style.bold(`Variable-rate debts at block ${block}`),
    debts.length === 0 ? 'none' : renderTable(debtColumns, debtRows, style),
    '',
    style.bold(all ? 'Fixed-rate positions, newest first' : 'Open fixed-rate positions'),
    positions.length === 0
      ? 'none'
      : renderTable(all ? [...positionColumns, settledColumn] : positionColumns, positionRows, style),
    ...(creditRows.length > 0
      ? ['', style.bold('To withdraw: firmquote settle --all'), renderTable(creditColumns, creditRows, style)]
      : []),
  ].join('\n')
}

/**
 * Like {@link renderPositions}, but in a single table, for scripts. The KIND column distinguishes debts, positions and
 * credits.
 */
export function renderPositionLines(
  { debts, positions, block, withdrawable = [] }: AccountPositions,
  pools: readonly PoolRates[],
  { all, style }: Shown,
): string {
  const columns = [{ title: 'KIND' }, ...positionColumns, ...(all ? [settledColumn] : []), ...healthColumns]
  const row = (cells: Readonly<Record<string, string>>) => columns.map(({ title }) => cells[title] ?? '-')
  const rows = [
    ...debts.map((entry) =>
      row({
        KIND: 'debt',
        WITH: `${entry.protocol} ${formatPoolId(entry.market)}`,
        POOL: formatPoolId(entry.poolId),
        SIZE: showAmount(entry.debt, tokenOf(entry.poolId, pools)),
        BLOCK: String(block),
        COLLATERAL: collateralOf(entry, pools),
        HEALTH: healthOf(entry),
      }),
    ),
    ...positions.map((position) => ['position', ...positionRow(position, pools, all), '-', '-']),
    ...withdrawable.map(({ token, amount }) =>
      row({ KIND: 'withdrawable', WITH: token, SIZE: showAmount(amount, tokenAt(token, pools)), BLOCK: String(block) }),
    ),
  ]
  return renderTable(columns, rows, style)
}

function positionRow(position: FixedPosition, pools: readonly PoolRates[], all: boolean): string[] {
  const token = tokenOf(position.poolId, pools)
  const gets = getsOf(position)
  return [
    String(position.positionId),
    position.role,
    formatAddress(position.role === 'maker' ? position.borrower : position.maker),
    formatPoolId(position.poolId),
    showInstant(position.expiry),
    showAmount(position.notional, token),
    showAmount(position.cost, token),
    String(position.openedAtBlock),
    position.settlement ? 'settled' : position.settleable ? 'settleable' : 'open',
    checkpointOf(position),
    gets === null ? '-' : showAmount(gets, token),
    ...(all ? [position.settlement?.transactionHash ?? '-'] : []),
  ]
}

/** Returns whether a position's series has its checkpoint, or a dash if the service did not report it. */
function checkpointOf({ settlement, checkpointed }: FixedPosition): string {
  if (settlement) return 'yes'
  return checkpointed === undefined ? '-' : checkpointed ? 'yes' : 'no'
}

/** Returns a debt's collateral, or a dash if the service did not report it. */
function collateralOf({ poolId, collateral }: AccountDebt, pools: readonly PoolRates[]): string {
  if (collateral === undefined) return '-'
  return showAmount(collateral.amount, pools.find((pool) => pool.poolId === poolId)?.collateral ?? undefined)
}

/**
 * Returns a debt's health factor, rounded down, or a dash if unknown. A debt with a health factor below 1 can be
 * liquidated.
 */
function healthOf({ healthFactor }: AccountDebt): string {
  if (healthFactor === undefined) return '-'
  const hundredths = healthFactor / 10n ** 16n
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

function tokenOf(poolId: string, pools: readonly PoolRates[]): Token | undefined {
  return pools.find((pool) => pool.poolId === poolId)?.loanToken
}

function tokenAt(address: Address, pools: readonly PoolRates[]): Token | undefined {
  return pools.find(({ loanToken }) => isAddressEqual(loanToken.address, address))?.loanToken
}

/**
 * Returns a position's payout to the account, or the projected payout if the market's index stays unchanged. Null if
 * unknown.
 */
function getsOf({ role, notional, cost, accrued, settlement }: FixedPosition): bigint | null {
  if (settlement) return role === 'maker' ? settlement.toMaker : settlement.toBorrower
  if (accrued === undefined) return null
  return role === 'maker' ? notional - accrued + cost : accrued
}

// Why: docs/decisions/0039-position-history.md
import {
  type AccountDebt,
  type AccountPositions,
  type BlockRef,
  ChainUnavailableError,
  type FixedPosition,
  type PositionFilters,
} from '@firmquote/core'
import {
  type DebtSecurity,
  healthFactor,
  indexAtExpiry,
  lastReading,
  liquidationPrice,
  positionPayout,
  type SeriesReading,
} from '@firmquote/core/chain'
import { type Address, isAddressEqual } from 'viem'
import type { PositionRecord } from '../../ports/store.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { protocolOf } from './lendingMarket.ts'

/** Maximum and default number of positions per page. */
const maxPositions = 500

/**
 * Creates the reader of an account's debts, credits and positions. Events and state are read at a single block, the
 * newest whose events are in the store, so a settlement's payout is in exactly one of `accrued` and `withdrawable`.
 *
 * The reader throws {@link ChainUnavailableError} if the node cannot read that block or has a different one at that
 * height.
 */
export function createReadPositions({
  chain,
  store,
}: Pick<ServiceDeps, 'chain' | 'store'>): (filters: PositionFilters) => Promise<AccountPositions> {
  return async ({ address, status = 'open', limit = maxPositions, cursor }) => {
    const page = await store.listPositions({ account: address, status, limit, ...(cursor !== undefined && { cursor }) })
    const { block, positions, openSeries, nextCursor } = page
    if (block === null) throw new ChainUnavailableError("The pools' events have not been synced yet.")
    const pools = await store.listPools()
    const { debts, securities, credits, indexes } = await chain.readAccount({
      account: address,
      pools,
      series: openSeries,
      block,
    })
    return {
      address,
      block: Number(block.number),
      debts: pools.flatMap(({ poolId, adapter, market, loanToken }) => {
        const debt = debts.get(poolId) ?? 0n
        const security = securities.get(poolId)
        return debt > 0n
          ? [
              {
                poolId,
                protocol: protocolOf(adapter),
                market,
                loanToken,
                debt,
                ...(security && healthOf(debt, security)),
              },
            ]
          : []
      }),
      positions: positions.flatMap((position) =>
        rolesOf(position, address).map((role) =>
          describePosition(position, role, block, indexes.get(position.seriesKey)),
        ),
      ),
      withdrawable: [...credits].flatMap(([token, amount]) => (amount > 0n ? [{ token, amount }] : [])),
      nextCursor,
    }
  }
}

type Health = Pick<AccountDebt, 'collateral' | 'lltv' | 'oraclePrice' | 'liquidationPrice' | 'healthFactor'>

/** A debt's health; unknown values are omitted. */
function healthOf(debt: bigint, { collateralToken, collateral, lltv, price }: DebtSecurity): Health {
  const secured = { debt, collateral, lltv }
  const lowest = liquidationPrice(secured)
  const factor = price === null ? null : healthFactor(secured, price)
  return {
    collateral: { token: collateralToken, amount: collateral },
    lltv,
    ...(price !== null && { oraclePrice: price }),
    ...(lowest !== null && { liquidationPrice: lowest }),
    ...(factor !== null && { healthFactor: factor }),
  }
}

function rolesOf({ maker, borrower }: PositionRecord, account: Address): FixedPosition['role'][] {
  const roles: FixedPosition['role'][] = []
  if (isAddressEqual(maker, account)) roles.push('maker')
  if (isAddressEqual(borrower, account)) roles.push('borrower')
  return roles
}

function describePosition(
  { index: indexAtOpen, settlement, ...position }: PositionRecord,
  role: FixedPosition['role'],
  { timestamp }: BlockRef,
  reading: SeriesReading | undefined,
): FixedPosition {
  if (settlement) return { ...position, role, settlement }
  if (!reading) throw new ChainUnavailableError('The node did not return the index of a series.')
  const expiry = BigInt(position.expiry)
  const index = indexAtExpiry({ ...reading, expiry }, { index: reading.index, readAt: timestamp })
  return {
    ...position,
    role,
    accrued: positionPayout({ ...position, indexAtOpen }, index).toBorrower,
    settleable: timestamp >= expiry,
    checkpointed: reading.checkpoint !== null,
    readAt: Number(lastReading(reading).readAt),
  }
}

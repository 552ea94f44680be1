import { interestRatePoolAbi } from '@firmquote/core'
import { type Address, isAddressEqual, type Log, parseEventLogs } from 'viem'

/** A position opened by a transaction. Amounts are in raw units. */
export type OpenedPosition = { positionId: bigint; notional: bigint; cost: bigint }

/**
 * Extracts the position that the interest-rate pool opened from a transaction's logs. Returns null if the transaction
 * opened no position.
 */
export function openedPosition(logs: readonly Log[], interestRatePool: Address): OpenedPosition | null {
  const [event] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs: [...logs] }).filter(
    ({ address }) => isAddressEqual(address, interestRatePool),
  )
  if (!event) return null
  const { positionId, notional, cost } = event.args
  return { positionId, notional, cost }
}

import { wad } from './policy.ts'

/** Whose matured positions the keeper settles: the maker's own, everyone's, or none. */
export type KeeperMode = 'own' | 'all' | 'off'

/** Spending limits of the keeper. */
export type KeeperRules = {
  mode: KeeperMode
  /** Maximum gas per transaction. */
  maxGas: bigint
  /** Maximum gas price, in wei. */
  maxGasPrice: bigint
  /** Value of one native coin in whole loan tokens, as set by the operator. */
  tokensPerCoin: bigint
  /** Seconds after expiry at which the keeper settles the maker's own position even if it is not worth the gas. */
  latestSeconds: number
}

/**
 * A position that could be settled as of the block that was read. Amounts are in raw units of the position's loan
 * token.
 */
export type Settlement = {
  positionId: bigint
  isOwn: boolean
  /** Unix seconds. */
  expiry: number
  /** Amount that the settlement credits to the maker. */
  freed: bigint
  decimals: number
}

/** Approximate gas used by each further position in a batch, and by a withdrawal. */
export const settlementGas = 100_000n
export const withdrawalGas = 80_000n
/** Gas that must remain before each settlement: the keeper bundler's `SETTLE_GAS`. */
const spareGas = 300_000n
/** Maximum number of positions per batch. Limited because a single request reads each position several times. */
const largestBatch = 150
/**
 * Minimum ratio of the amount that a transaction frees to its gas cost. The margin absorbs changes in the coin's price.
 */
const factor = 10n

/** Chooses the positions to settle now. `now` is a block timestamp in Unix seconds. `gasPrice` is in wei. */
export function chooseSettlements(
  settlements: readonly Settlement[],
  { now, gasPrice }: { now: number; gasPrice: bigint },
  rules: KeeperRules,
): bigint[] {
  const { mode, maxGasPrice, latestSeconds } = rules
  if (mode === 'off' || gasPrice > maxGasPrice) return []
  const chosen = settlements.filter((settlement) => {
    if (mode === 'all') return true
    if (!settlement.isOwn) return false
    return (
      now >= settlement.expiry + latestSeconds ||
      isWorth(settlement.freed, settlementGas, { ...settlement, gasPrice }, rules)
    )
  })
  return chosen.map(({ positionId }) => positionId)
}

/** Whether an amount is worth at least ten times its gas cost. */
export function isWorth(
  amount: bigint,
  gas: bigint,
  { decimals, gasPrice }: { decimals: number; gasPrice: bigint },
  { tokensPerCoin }: Pick<KeeperRules, 'tokensPerCoin'>,
): boolean {
  return amount > 0n && amount * wad >= factor * gas * gasPrice * tokensPerCoin * 10n ** BigInt(decimals)
}

/** Maximum fee per gas of a transaction, in wei: twice the gas price, at most the rules' maximum. */
export function feePerGas(gasPrice: bigint, { maxGasPrice }: Pick<KeeperRules, 'maxGasPrice'>): bigint {
  return gasPrice * 2n < maxGasPrice ? gasPrice * 2n : maxGasPrice
}

/** Number of positions to settle in one transaction, at least 1. */
export function batchSize({ maxGas }: Pick<KeeperRules, 'maxGas'>): number {
  const fitting = Number((maxGas - spareGas) / settlementGas)
  return Math.max(1, Math.min(fitting, largestBatch))
}

/**
 * Rotates items by an offset derived from the keeper's address, so that two keepers start at different positions. Two
 * keepers starting at the same position would both pay for the same settlements.
 */
export function rotateByKeeper<T>(items: readonly T[], keeper: string): T[] {
  if (items.length === 0) return []
  const start = Number(BigInt(keeper) % BigInt(items.length))
  return [...items.slice(start), ...items.slice(0, start)]
}

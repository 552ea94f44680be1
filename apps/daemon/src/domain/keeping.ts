import { wad } from './policy.ts'

/** Whose matured positions are settled: the maker's own, anybody's, or none. */
export type KeeperMode = 'own' | 'all' | 'off'

/** What the keeper may spend. */
export type KeeperRules = {
  mode: KeeperMode
  /** The most gas of one transaction. */
  maxGas: bigint
  /** Above this price nothing is sent. Wei. */
  maxGasPrice: bigint
  /** What one of the chain's coins is worth in whole loan tokens: the operator's own figure. */
  tokensPerCoin: bigint
  /** An own position that is not worth its gas is settled so long after its expiry. Seconds. */
  latestSeconds: number
}

/** A position that can be settled in the block that was read. Amounts in raw units of its loan token. */
export type Settlement = {
  positionId: bigint
  isOwn: boolean
  /** Unix seconds. */
  expiry: number
  /** What its settlement credits the maker with. */
  freed: bigint
  decimals: number
}

/** About what one more position of a batch costs, and what a withdrawal does. Gas. */
export const settlementGas = 100_000n
export const withdrawalGas = 80_000n
/** What must be left before each settlement: the keeper bundler's `SETTLE_GAS`. */
const spareGas = 300_000n
/** Positions of a batch at most, whatever the gas: each of them is read several times in one request. */
const largestBatch = 150
/** What is freed must be so many times what its gas costs: prices of coins move. */
const factor = 10n

/** Chooses what is settled now. `now` is a block's time, Unix seconds; `gasPrice` is in wei. */
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

/** Whether an amount is worth the gas that it takes to get it: ten times its cost. */
export function isWorth(
  amount: bigint,
  gas: bigint,
  { decimals, gasPrice }: { decimals: number; gasPrice: bigint },
  { tokensPerCoin }: Pick<KeeperRules, 'tokensPerCoin'>,
): boolean {
  return amount > 0n && amount * wad >= factor * gas * gasPrice * tokensPerCoin * 10n ** BigInt(decimals)
}

/** How many positions are tried in one transaction, from 1 on. */
export function batchSize({ maxGas }: Pick<KeeperRules, 'maxGas'>): number {
  const fitting = Number((maxGas - spareGas) / settlementGas)
  return Math.max(1, Math.min(fitting, largestBatch))
}

/**
 * Two keepers that begin at the same position would pay for the same settlements twice. So each begins at a place of its own, which
 * follows from its address.
 */
export function inOwnOrder<T>(items: readonly T[], keeper: string): T[] {
  if (items.length === 0) return []
  const start = Number(BigInt(keeper) % BigInt(items.length))
  return [...items.slice(start), ...items.slice(0, start)]
}

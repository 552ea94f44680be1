import { formatEther, type TransactionReceipt } from 'viem'
import { showAmount, type Token } from './format/show.ts'

/** A run's spending so far. The outcome of the `unseen` transactions is unknown; some may not have been sent. */
export type Spending = {
  mined: number
  unseen: number
  /** Gas fees of mined transactions, in wei. Null if the node did not report every transaction's fee. */
  fee: bigint | null
  takes: number
  /** Totals over all takes, in raw units of the loan token. */
  notional: bigint
  cost: bigint
}

/** Returns zero spending. */
export function noSpending(): Spending {
  return { mined: 0, unseen: 0, fee: 0n, takes: 0, notional: 0n, cost: 0n }
}

/** Counts a mined transaction and removes it from `unseen`. */
export function addReceipt(
  spending: Spending,
  { gasUsed, effectiveGasPrice }: Partial<Pick<TransactionReceipt, 'gasUsed' | 'effectiveGasPrice'>>,
): void {
  spending.unseen -= 1
  spending.mined += 1
  const isKnown = typeof gasUsed === 'bigint' && typeof effectiveGasPrice === 'bigint'
  spending.fee = isKnown && spending.fee !== null ? spending.fee + gasUsed * effectiveGasPrice : null
}

/** Counts a taken quote. */
export function addTake(spending: Spending, { notional, cost }: { notional: bigint; cost: bigint }): void {
  spending.takes += 1
  spending.notional += notional
  spending.cost += cost
}

/**
 * Describes spending as `nothing`, or as the number of transactions and their gas fees, and the number of takes and
 * their cost.
 */
export function describeSpending(spending: Spending, token: Token | undefined): string {
  const { mined, unseen, fee, takes, notional, cost } = spending
  if (mined + unseen === 0) return 'nothing; no transaction was sent'
  const gas = `${count(mined, 'transaction')}, ${fee === null ? 'gas unknown' : `${formatEther(fee)} ETH of gas`}`
  const noun = mined > 0 ? `${unseen} more` : count(unseen, 'transaction')
  const unknown = `${noun} with unknown outcome`
  const parts = [
    ...(mined === 0 ? [] : [gas]),
    ...(unseen === 0 ? [] : [unknown]),
    takes === 0
      ? 'no quote taken'
      : `${count(takes, 'quote')} taken: ${showAmount(notional, token)} fixed for ${showAmount(cost, token)}`,
  ]
  return parts.join('; ')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

import { formatEther, type TransactionReceipt } from 'viem'
import { showAmount, type Token } from './format/show.ts'

/** What a run has spent so far. Of `unseen` transactions the block has not been seen; some of them may not have been sent. */
export type Spending = {
  mined: number
  unseen: number
  /** Gas of what was mined, wei; null when a node did not tell it of one. */
  fee: bigint | null
  takes: number
  /** What the takes fix and cost together, raw units of the loan token. */
  notional: bigint
  cost: bigint
}

/** Nothing spent. */
export function noSpending(): Spending {
  return { mined: 0, unseen: 0, fee: 0n, takes: 0, notional: 0n, cost: 0n }
}

/** Counts a transaction whose block is there, and no longer as unseen. */
export function addReceipt(
  spending: Spending,
  { gasUsed, effectiveGasPrice }: Partial<Pick<TransactionReceipt, 'gasUsed' | 'effectiveGasPrice'>>,
): void {
  spending.unseen -= 1
  spending.mined += 1
  const isKnown = typeof gasUsed === 'bigint' && typeof effectiveGasPrice === 'bigint'
  spending.fee = isKnown && spending.fee !== null ? spending.fee + gasUsed * effectiveGasPrice : null
}

/** Counts a quote that was taken. */
export function addTake(spending: Spending, { notional, cost }: { notional: bigint; cost: bigint }): void {
  spending.takes += 1
  spending.notional += notional
  spending.cost += cost
}

/** Says what was spent: `nothing`, or how many transactions, their gas, and what was taken for which cost. */
export function describeSpending(spending: Spending, token: Token | undefined): string {
  const { mined, unseen, fee, takes, notional, cost } = spending
  if (mined + unseen === 0) return 'nothing; nothing was sent'
  const gas = `${count(mined, 'transaction')}, ${fee === null ? 'gas not known' : `${formatEther(fee)} ETH of gas`}`
  const noun = mined > 0 ? `${unseen} more` : count(unseen, 'transaction')
  const unknown = `${noun} of which it is not known whether ${unseen === 1 ? 'it is' : 'they are'} in a block`
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

/** An account's balances, and the price of gas. */
export type Funds = {
  /** Balance of the token in which the cost is paid, in raw units. */
  balance: bigint
  /** Balance of the network's coin, in wei. */
  coins: bigint
  /** In wei. */
  gasPrice: bigint
}

/** Gas for approving, authorizing and taking. The service allows 500,000 for a take. */
const gas = 600_000n

/**
 * Returns the payment that the account cannot make, or null. Pure.
 *
 * @param cost In raw units, or null if unknown.
 */
export function judgeFunds({ balance, coins, gasPrice }: Funds, cost: bigint | null): 'cost' | 'fee' | null {
  if (cost !== null && balance < cost) return 'cost'
  return coins < gas * gasPrice ? 'fee' : null
}

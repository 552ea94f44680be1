import { isAddressEqual } from 'viem'
import type { PublishedCurve } from './marketView.ts'
import type { Decline } from './priceRfq.ts'

/**
 * Compares a pool's loan token on-chain with the service's. The policy's sizes are in whole tokens, so a node with
 * other decimals would raise them.
 *
 * @param known the service's token, or null if unknown.
 * @returns a decline, or null if they match.
 */
export function judgeToken(
  known: PublishedCurve['loanToken'] | null,
  { funds, decimals }: { funds: { loanToken: PublishedCurve['loanToken']['address'] }; decimals: number },
): Decline | null {
  if (!known || (isAddressEqual(known.address, funds.loanToken) && known.decimals === decimals)) return null
  const reason = `The pool's token is ${funds.loanToken} with ${decimals} decimals on-chain, but ${known.address} with ${known.decimals} according to the service.`
  return { kind: 'decline', code: 'TOKEN_MISMATCH', reason }
}

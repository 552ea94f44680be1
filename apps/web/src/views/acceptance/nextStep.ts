import type { Executability } from '@firmquote/sdk'
import type { ChainAccess } from '../../chain/useChain.ts'

/** What stands between a borrower and a quote, nearest first; `take` when nothing does. */
export type NextStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The chain has not been read yet. */
  | { step: 'wait' }
  /** The chain cannot be read: unknown is never fine. */
  | { step: 'unknown' }
  /** The quote cannot be taken, whatever the borrower does. */
  | { step: 'dead' }
  /** The quote is fine, but the borrower lacks the money. */
  | { step: 'fund' }
  /** `allowance` is what is left of an earlier one. Raw units. */
  | { step: 'approve'; amount: bigint; allowance: bigint }
  | { step: 'permit' }
  /** What is missing, and the take, as one. */
  | { step: 'takeTogether' }
  | { step: 'take' }

/**
 * Decides what the one main button is for. Pure.
 *
 * @param read.atomic whether the wallet sends several calls as one.
 */
export function nextStep(
  chain: ChainAccess['state'],
  read: { verdict: Executability | undefined; failed: boolean; atomic: boolean },
): NextStep {
  if (chain === 'none') return { step: 'connect' }
  if (chain === 'wrongNetwork') return { step: 'switchNetwork' }
  if (read.failed) return { step: 'unknown' }
  const { verdict } = read
  if (chain === 'connecting' || !verdict) return { step: 'wait' }
  if (verdict.executable) return { step: 'take' }
  const [deadline, nonceAndStatus, makerFunds, terms, preview, borrower] = verdict.checks
  if (![deadline, nonceAndStatus, makerFunds, terms, preview].every(({ ok }) => ok)) return { step: 'dead' }
  if (borrower.missing.includes('balance')) return { step: 'fund' }
  if (read.atomic && borrower.missing.length > 0) return { step: 'takeTogether' }
  if (borrower.missing.includes('allowance')) {
    return { step: 'approve', amount: verdict.cost, allowance: borrower.allowance }
  }
  if (borrower.missing.includes('operator')) return { step: 'permit' }
  return { step: 'dead' }
}

import { type Executability, type SignedQuote, type TakeCall, takeCalls } from '@firmquote/sdk'
import type { ChainAccess } from '../chain/useChain.ts'
import type { Service } from '../service/serviceContext.ts'

/** What stands between a borrower and a quote, nearest first; `take` when nothing does. */
export type TakeStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The chain has not been read yet. */
  | { step: 'wait' }
  /** The chain cannot be read: unknown is never fine. */
  | { step: 'unknown'; error: Error }
  /** The quote cannot be taken, whatever the borrower does: a check other than the borrower's has failed. */
  | { step: 'dead'; verdict: Executability }
  /** The quote is fine, but the borrower lacks the money: `missing` raw units of the loan token. */
  | { step: 'fund'; missing: bigint }
  /** What is left of an earlier allowance, raw units, is taken back first: some tokens refuse to change it otherwise. */
  | { step: 'reset'; allowance: bigint; calls: readonly TakeCall[] }
  /** The market is allowed to move exactly the cost, raw units. */
  | { step: 'approve'; amount: bigint; calls: readonly TakeCall[] }
  /** The market is permitted to open positions for the account. */
  | { step: 'permit'; calls: readonly TakeCall[] }
  /** What is missing, and the take, as one confirmation: the wallet sends several calls as one. */
  | { step: 'takeTogether'; calls: readonly TakeCall[] }
  | { step: 'take'; calls: readonly TakeCall[] }

/** What is known of a quote, and of the wallet. */
export type TakeReading = {
  signed: SignedQuote
  verdict: Executability | undefined
  /** Why the chain could not be read. */
  error: Error | null
  /** Whether the wallet sends several calls as one. */
  atomic: boolean
  contracts: Service['config']['contracts']
}

/** Decides what comes next. `calls` are all that are still to come, in their order. Pure. */
export function nextTakeStep(chain: ChainAccess['state'], read: TakeReading): TakeStep {
  if (chain === 'none') return { step: 'connect' }
  if (chain === 'wrongNetwork') return { step: 'switchNetwork' }
  if (read.error) return { step: 'unknown', error: read.error }
  const { verdict } = read
  if (chain === 'connecting' || !verdict) return { step: 'wait' }
  const [deadline, nonceAndStatus, makerFunds, terms, preview, borrower] = verdict.checks
  if (![deadline, nonceAndStatus, makerFunds, terms, preview].every(({ ok }) => ok)) return { step: 'dead', verdict }
  if (borrower.missing.includes('balance')) return { step: 'fund', missing: verdict.cost - borrower.balance }
  // Something else speaks against the account.
  if (!verdict.executable && borrower.missing.length === 0) return { step: 'dead', verdict }
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = read.contracts
  const calls = takeCalls([{ signed: read.signed }], verdict, { quoteMarketAddress, interestRatePoolAddress })
  if (read.atomic && calls.length > 1) return { step: 'takeTogether', calls }
  switch (calls[0]?.purpose) {
    case 'reset':
      return { step: 'reset', allowance: borrower.allowance, calls }
    case 'approve':
      return { step: 'approve', amount: verdict.cost, calls }
    case 'permit':
      return { step: 'permit', calls }
    default:
      return { step: 'take', calls }
  }
}

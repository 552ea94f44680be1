import { type Executability, type SignedQuote, type TakeCall, takeCalls } from '@firmquote/sdk'
import type { ChainAccess } from '../chain/useChain.ts'
import type { Service } from '../service/serviceContext.ts'

/** A borrower's next step to take a quote. The step is `take` if no other step remains. */
export type TakeStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The chain state is loading. */
  | { step: 'wait' }
  /** The chain could not be read. In this state, the quote counts as not executable. */
  | { step: 'unknown'; error: Error }
  /** The quote is not executable, for a reason that the borrower cannot fix. */
  | { step: 'dead'; verdict: Executability }
  /** The quote is executable, but the borrower lacks `missing` raw units of the loan token. */
  | { step: 'fund'; missing: bigint }
  /** Reset an earlier allowance (raw units), because some tokens reject a change from one nonzero value to another. */
  | { step: 'reset'; allowance: bigint; calls: readonly TakeCall[] }
  /** Approve exactly the cost (raw units) for the market. */
  | { step: 'approve'; amount: bigint; calls: readonly TakeCall[] }
  /** Authorize the market to open positions for the account. */
  | { step: 'permit'; calls: readonly TakeCall[] }
  /** Grant the missing permissions and take the quote in one confirmation. The wallet supports atomic batches. */
  | { step: 'takeTogether'; calls: readonly TakeCall[] }
  | { step: 'take'; calls: readonly TakeCall[] }

/** The current state of a quote and the wallet, as far as known. */
export type TakeReading = {
  signed: SignedQuote
  verdict: Executability | undefined
  /** Why the chain could not be read. */
  error: Error | null
  /** Whether the wallet supports atomic batches. */
  atomic: boolean
  contracts: Service['config']['contracts']
}

/** Determines the next step. `calls` contains all remaining calls, in order. Pure. */
export function nextTakeStep(chain: ChainAccess['state'], read: TakeReading): TakeStep {
  if (chain === 'none') return { step: 'connect' }
  if (chain === 'wrongNetwork') return { step: 'switchNetwork' }
  if (read.error) return { step: 'unknown', error: read.error }
  const { verdict } = read
  if (chain === 'connecting' || !verdict) return { step: 'wait' }
  const [deadline, nonceAndStatus, makerFunds, terms, preview, borrower] = verdict.checks
  if (![deadline, nonceAndStatus, makerFunds, terms, preview].every(({ ok }) => ok)) return { step: 'dead', verdict }
  if (borrower.missing.includes('balance')) return { step: 'fund', missing: verdict.cost - borrower.balance }
  // The borrower's check failed for a reason other than a missing balance or permission.
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

import type { Executability, SignedQuote } from '@firmquote/sdk'
import { type TakeCall, takeCalls } from '@firmquote/sdk/jobs'
import type { ChainAccess } from '../chain/useChain.ts'
import type { ChainErrorType } from '../errors.ts'
import type { Service } from '../service/serviceContext.ts'

/** A borrower's next step to take quotes. The step is `take` if no other step remains. */
export type TakeStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The chain state is loading. */
  | { step: 'wait' }
  /** The chain could not be read. In this state, the quote counts as not executable. */
  | { step: 'unknown'; error: ChainErrorType }
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

/** The current state of the quotes and the wallet, as far as known. */
export type TakeReading = {
  /** The quotes to take. */
  quotes: readonly SignedQuote[]
  /** The verdict on the first quote, whose borrower check covers the cost of all. */
  verdict: Executability | undefined
  /** Why the chain could not be read. */
  error: ChainErrorType | null
  /** Whether the wallet supports atomic batches. */
  atomic: boolean
  contracts: Service['config']['contracts']
}

/** Returns the quotes' total cost, in raw units. Pure. */
export function costOf(quotes: readonly SignedQuote[]): bigint {
  return quotes.reduce((sum, { vrtAmount }) => sum + vrtAmount, 0n)
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
  const takes = read.quotes.map((signed) => ({ signed }))
  if (borrower.missing.includes('balance')) return { step: 'fund', missing: costOf(read.quotes) - borrower.balance }
  // The borrower's check failed for a reason other than a missing balance or permission.
  if (!verdict.executable && borrower.missing.length === 0) return { step: 'dead', verdict }
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = read.contracts
  const calls = takeCalls(takes, verdict, { quoteMarketAddress, interestRatePoolAddress })
  if (read.atomic && calls.length > 1) return { step: 'takeTogether', calls }
  switch (calls[0]?.purpose) {
    case 'reset':
      return { step: 'reset', allowance: borrower.allowance, calls }
    case 'approve':
      return { step: 'approve', amount: costOf(read.quotes), calls }
    case 'permit':
      return { step: 'permit', calls }
    default:
      return { step: 'take', calls }
  }
}

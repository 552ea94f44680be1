import { type Executability, type SignedQuote, type TakeCall, takeCalls } from '@firmquote/sdk'
import type { ChainAccess } from '../chain/useChain.ts'
import type { Service } from '../service/serviceContext.ts'

/** The next step of a borrower towards a quote. `take` if no other step remains. */
export type TakeStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The chain state is loading. */
  | { step: 'wait' }
  /** The read failed. The quote counts as not executable. */
  | { step: 'unknown'; error: Error }
  /** The quote is not executable, regardless of the borrower: a check other than the borrower's failed. */
  | { step: 'dead'; verdict: Executability }
  /** The quote is executable, but the borrower lacks `missing` raw units of the loan token. */
  | { step: 'fund'; missing: bigint }
  /** Reset an earlier allowance, raw units, because some tokens reject a direct change. */
  | { step: 'reset'; allowance: bigint; calls: readonly TakeCall[] }
  /** Allow the market exactly the cost, raw units. */
  | { step: 'approve'; amount: bigint; calls: readonly TakeCall[] }
  /** Permit the market to open positions for the account. */
  | { step: 'permit'; calls: readonly TakeCall[] }
  /** Missing permissions and the take with one confirmation, because the wallet supports atomic batches. */
  | { step: 'takeTogether'; calls: readonly TakeCall[] }
  | { step: 'take'; calls: readonly TakeCall[] }

/** The known state of a quote and of the wallet. */
export type TakeReading = {
  signed: SignedQuote
  verdict: Executability | undefined
  /** Why the read failed. */
  error: Error | null
  /** Whether the wallet supports atomic batches. */
  atomic: boolean
  contracts: Service['config']['contracts']
}

/** Decides the next step. `calls` are all remaining calls, in order. Pure. */
export function nextTakeStep(chain: ChainAccess['state'], read: TakeReading): TakeStep {
  if (chain === 'none') return { step: 'connect' }
  if (chain === 'wrongNetwork') return { step: 'switchNetwork' }
  if (read.error) return { step: 'unknown', error: read.error }
  const { verdict } = read
  if (chain === 'connecting' || !verdict) return { step: 'wait' }
  const [deadline, nonceAndStatus, makerFunds, terms, preview, borrower] = verdict.checks
  if (![deadline, nonceAndStatus, makerFunds, terms, preview].every(({ ok }) => ok)) return { step: 'dead', verdict }
  if (borrower.missing.includes('balance')) return { step: 'fund', missing: verdict.cost - borrower.balance }
  // Another check of the borrower failed.
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

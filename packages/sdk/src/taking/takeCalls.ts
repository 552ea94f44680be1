import type { SignedQuote } from '@firmquote/core'
import { guardInput } from '@firmquote/core/utils'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { InvalidInputError } from '../coreErrors.ts'
import type { Executability } from '../executability/executability.ts'
import { approvalSteps, setOperatorParameters, takeQuoteParameters } from '../executability/takeQuote.ts'

/** A call that the borrower sends. `value` is in wei and always zero. */
export type TakeCall = {
  /**
   * `reset` clears a remaining allowance, `approve` approves the cost, `permit` allows the market to open positions,
   * and `take` takes a quote.
   */
  purpose: 'reset' | 'approve' | 'permit' | 'take'
  to: Address
  data: Hex
  value: bigint
}

/**
 * A quote to take in full, from a plan or another source. `maxCost` is in raw units and defaults to the quote's cost.
 */
export type QuoteToTake = { signed: SignedQuote; maxCost?: bigint | undefined }

/** The permissions that a borrower has already granted to the quote market. */
export type GivenPermissions = {
  /** The pool's loan token. */
  loanToken: Address
  /** The market's allowance, in raw units. */
  allowance: bigint
  /** Whether the market may open positions for the borrower. */
  isOperator: boolean
}

/**
 * Returns the calls that take quotes from one pool, in order: first the missing permissions, then one take per quote.
 * An insufficient allowance is replaced by exactly the quotes' cost, which the takes use up. Permissions already
 * granted are not granted again.
 *
 * Send them one by one, or as a batch with {@link sendCallsParameters}.
 *
 * @param options.quoteMarketAddress The quote market's address, by default the production deployment's.
 * @param options.interestRatePoolAddress The interest-rate pool's address, by default the production deployment's.
 * @param given The existing permissions, or a verdict on one of the quotes.
 * @throws {InvalidInputError} if a quote is malformed, costs more than its `maxCost`, or does not belong to the same
 * pool as the first.
 * @example
 * ```ts
 * const [first] = plan.takes
 * for (const { to, data } of first ? takeCalls(plan.takes, first.verdict) : []) {
 *   await publicClient.waitForTransactionReceipt({ hash: await walletClient.sendTransaction({ to, data }) })
 * }
 * ```
 */
export function takeCalls(
  quotes: readonly QuoteToTake[],
  given: Executability | GivenPermissions,
  options: { quoteMarketAddress?: Address | undefined; interestRatePoolAddress?: Address | undefined } = {},
): TakeCall[] {
  const takes = guardInput('quotes', () => quotes.map(({ signed, maxCost }) => ({ signed, maxCost })))
  const { loanToken, allowance, isOperator } = guardInput('given', () => permissionsOf(given))
  const contracts = { ...options }
  const cost = costOf(takes)
  const approvals = allowance < cost ? approvalSteps({ ...contracts, loanToken, allowance, amount: cost }) : []
  const calls: TakeCall[] = approvals.map((approval) => ({
    purpose: approval.args[1] === 0n ? 'reset' : 'approve',
    ...callOf(approval),
  }))
  if (!isOperator && takes.length > 0) calls.push({ purpose: 'permit', ...callOf(setOperatorParameters(contracts)) })
  for (const { signed, maxCost } of takes) {
    calls.push({ purpose: 'take', ...callOf(takeQuoteParameters(signed, { ...contracts, maxCost })) })
  }
  return calls
}

/**
 * Returns the total cost of one pool's quotes, in raw units of its loan token.
 *
 * @throws {InvalidInputError} if a quote costs more than its `maxCost`, or does not belong to the same pool as the first.
 */
export function costOf(quotes: readonly QuoteToTake[]): bigint {
  return guardInput('quotes', () => {
    const poolId = quotes[0]?.signed.poolId.toLowerCase()
    for (const [index, { signed, maxCost = signed.vrtAmount }] of quotes.entries()) {
      const path = `quotes[${index}]`
      if (signed.poolId.toLowerCase() !== poolId) {
        throw new InvalidInputError('must belong to the same pool as the first.', { path: `${path}.signed.poolId` })
      }
      if (maxCost < signed.vrtAmount) {
        const what = `must be at least ${signed.vrtAmount}, the cost of the quote.`
        throw new InvalidInputError(what, { path: `${path}.maxCost`, given: maxCost })
      }
    }
    return quotes.reduce((sum, { signed }) => sum + signed.vrtAmount, 0n)
  })
}

/** @throws {InvalidInputError} if a verdict has no loan token. */
function permissionsOf(given: Executability | GivenPermissions): GivenPermissions {
  if (!('checks' in given)) return { ...given }
  const { loanToken } = given.checks[2]
  const { allowance, isOperator } = given.checks[5]
  if (loanToken === null) throw new InvalidInputError("does not contain the pool's loan token.", { path: 'given' })
  return { loanToken, allowance, isOperator }
}

function callOf(
  parameters: { address: Address } & Parameters<typeof encodeFunctionData>[0],
): Omit<TakeCall, 'purpose'> {
  return guardInput('options', () => ({ to: parameters.address, data: encodeFunctionData(parameters), value: 0n }))
}

import { guardInput, InvalidInputError, type SignedQuote } from '@firmquote/core'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Executability } from '../executability/executability.ts'
import { approvalSteps, setOperatorParameters, takeQuoteParameters } from '../executability/takeQuote.ts'

/** A call that a borrower sends. `value` is in wei, and always zero. */
export type TakeCall = {
  /** `reset` takes back what is left of an allowance, `approve` allows the cost, `permit` lets the market open positions. */
  purpose: 'reset' | 'approve' | 'permit' | 'take'
  to: Address
  data: Hex
  value: bigint
}

/** A quote that is to be taken, whole: of a plan, or any other. `maxCost` in raw units; default what the quote says. */
export type QuoteToTake = { signed: SignedQuote; maxCost?: bigint | undefined }

/** What a borrower has given to the quote market. */
export type GivenPermissions = {
  /** The pool's loan token. */
  loanToken: Address
  /** What the market may move of it, raw units. */
  allowance: bigint
  /** Whether the market may open positions for the borrower. */
  isOperator: boolean
}

/**
 * The calls with which a borrower takes quotes of one pool, in their order: the permissions that are missing, then one take for
 * each quote. An allowance that is too small is replaced by one for exactly what the quotes cost, of which the takes leave
 * nothing; permissions that are there are not asked for again.
 *
 * Send them one after the other, or all as one with {@link sendCallsParameters}.
 *
 * @param given what is there already: the verdict on one of the quotes, or the permissions themselves.
 * @throws {InvalidInputError} when a quote cannot be read, costs more than its `maxCost`, or is of another pool than the first.
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
 * What quotes of one pool cost together, raw units of its loan token.
 *
 * @throws {InvalidInputError} when one costs more than its `maxCost`, or is of another pool than the first.
 */
export function costOf(quotes: readonly QuoteToTake[]): bigint {
  return guardInput('quotes', () => {
    const poolId = quotes[0]?.signed.poolId.toLowerCase()
    for (const [index, { signed, maxCost = signed.vrtAmount }] of quotes.entries()) {
      const path = `quotes[${index}]`
      if (signed.poolId.toLowerCase() !== poolId) {
        throw new InvalidInputError('is of another pool than the first.', { path: `${path}.signed.poolId` })
      }
      if (maxCost < signed.vrtAmount) {
        const what = `is below ${signed.vrtAmount}, what the quote costs.`
        throw new InvalidInputError(what, { path: `${path}.maxCost`, given: maxCost })
      }
    }
    return quotes.reduce((sum, { signed }) => sum + signed.vrtAmount, 0n)
  })
}

/** @throws {InvalidInputError} when a verdict knows no loan token. */
function permissionsOf(given: Executability | GivenPermissions): GivenPermissions {
  if (!('checks' in given)) return { ...given }
  const { loanToken } = given.checks[2]
  const { allowance, isOperator } = given.checks[5]
  if (loanToken === null) throw new InvalidInputError('knows no loan token of the pool.', { path: 'given' })
  return { loanToken, allowance, isOperator }
}

function callOf(
  parameters: { address: Address } & Parameters<typeof encodeFunctionData>[0],
): Omit<TakeCall, 'purpose'> {
  return guardInput('options', () => ({ to: parameters.address, data: encodeFunctionData(parameters), value: 0n }))
}

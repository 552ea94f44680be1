import { INTEREST_RATE_POOL_ADDRESS, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { interestRatePoolAbi, type QuoteMarketQuote, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { checkedUint256, guardInput } from '@firmquote/core/utils'
import type { Address } from 'viem'
import { checkedAddress, misnamedAddresses } from '../clientConfig.ts'
import { InvalidInputError } from '../coreErrors.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'

/** @inline */
type Market = { quoteMarketAddress?: Address | undefined }
/** @inline */
type Pool = { interestRatePoolAddress?: Address | undefined }

/** ERC-20 `approve` without the return value, which USDT lacks. A failed `approve` reverts with or without it. */
const approveAbi = [
  {
    type: 'function',
    name: 'approve',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'spender', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [],
  },
] as const

/**
 * Returns the call that takes a quote, for viem's `writeContract` or `simulateContract`.
 *
 * @param options The quote market's address, by default the production deployment's. `maxCost` is the maximum cost in
 * raw units of the loan token, by default the quote's cost.
 * @throws {InvalidInputError} if the quote or an option is malformed.
 * @example
 * ```ts
 * const hash = await walletClient.writeContract(takeQuoteParameters(best.quote))
 * ```
 */
export function takeQuoteParameters(signed: SignedQuote, options: Market & { maxCost?: bigint | undefined } = {}) {
  requireSignedQuote(signed, 'signed')
  return guardInput('signed', () => {
    rejectMisnamedOptions(options, { maxVrtAmount: 'maxCost' })
    const { maxCost = signed.vrtAmount } = options
    return {
      ...market(options),
      functionName: 'takeQuote',
      args: [quoteOf(signed), signed.signature, checkedUint256(maxCost, 'maxCost')],
    } as const
  })
}

/**
 * Returns the call that sets the quote market's allowance for the sender's loan tokens, in raw units. Tokens such as
 * USDT reject a change from one non-zero allowance to another. `approvalSteps` works with every token.
 *
 * @param options The quote market's address, by default the production deployment's, the loan token, and the new
 * allowance in raw units.
 * @throws {InvalidInputError} if an option is malformed or misnamed.
 * @example
 * ```ts
 * await send(approveParameters({ loanToken, amount: best.quote.vrtAmount }))
 * ```
 */
export function approveParameters(options: Market & { loanToken: Address; amount: bigint }) {
  return guardInput('options', () => {
    rejectMisnamedOptions(options, misnamedAddresses)
    const { loanToken: address, amount, quoteMarketAddress = QUOTE_MARKET_ADDRESS } = options
    checkedAddress(address, 'loanToken')
    const args = [quoteMarketAddress, checkedUint256(amount, 'amount')] as const
    return { address, abi: approveAbi, functionName: 'approve', args } as const
  })
}

/**
 * Returns the calls that set the quote market's allowance to an amount. Send the calls in order, waiting until each is
 * in a block before sending the next. A non-zero allowance is first reset to zero, because tokens such as USDT reject a
 * change from one non-zero allowance to another.
 *
 * @param options The quote market's address, by default the production deployment's, and the loan token. `allowance` is
 * the current allowance in raw units, as in a verdict's `borrower` check. `amount` is the new allowance.
 * @returns One or two calls, or none if the two allowances are equal.
 * @throws {InvalidInputError} if an option is malformed.
 * @example
 * ```ts
 * const { cost, checks } = verdict
 * const { allowance } = checks[5]
 * for (const call of approvalSteps({ loanToken, allowance, amount: cost })) await send(call)
 * ```
 */
export function approvalSteps(options: Market & { loanToken: Address; allowance: bigint; amount: bigint }) {
  return guardInput('options', () => {
    const { allowance, amount, ...rest } = options
    checkedUint256(allowance, 'allowance')
    checkedUint256(amount, 'amount')
    if (allowance === amount) return []
    const amounts = allowance === 0n || amount === 0n ? [amount] : [0n, amount]
    return amounts.map((step) => approveParameters({ ...rest, amount: step }))
  })
}

/**
 * Returns the call that grants or revokes the quote market's permission to open positions for the sender.
 *
 * @param options The contracts' addresses, by default the production deployment's. `approved` is whether to grant the
 * permission, by default true.
 * @throws {InvalidInputError} if an option is misnamed.
 * @example
 * ```ts
 * await send(setOperatorParameters())
 * // Revokes the permission.
 * await send(setOperatorParameters({ approved: false }))
 * ```
 */
export function setOperatorParameters(options: Market & Pool & { approved?: boolean | undefined } = {}) {
  const given = { ...options }
  // Ignoring the misspelled option `approve: false` would grant the permission.
  rejectMisnamedOptions(given, { ...misnamedAddresses, approve: 'approved' })
  const { quoteMarketAddress = QUOTE_MARKET_ADDRESS, approved = true, interestRatePoolAddress } = given
  const address = interestRatePoolAddress ?? INTEREST_RATE_POOL_ADDRESS
  return {
    address,
    abi: interestRatePoolAbi,
    functionName: 'setOperator',
    args: [quoteMarketAddress, approved],
  } as const
}

/**
 * Returns the call that cancels one of the sender's quotes.
 *
 * @param options.quoteMarketAddress The quote market's address, by default the production deployment's.
 * @throws {InvalidInputError} if the quote or an option is malformed.
 * @example
 * ```ts
 * await makerWallet.writeContract(cancelQuoteParameters(quote))
 * ```
 */
export function cancelQuoteParameters(quote: QuoteMarketQuote, options: Market = {}) {
  return guardInput(
    'quote',
    () => ({ ...market(options), functionName: 'cancelQuote', args: [quoteOf(quote)] }) as const,
  )
}

/**
 * Returns the call that invalidates all of the sender's quotes.
 *
 * @param options.quoteMarketAddress The quote market's address, by default the production deployment's.
 * @throws {InvalidInputError} if an option is malformed or misnamed.
 * @example
 * ```ts
 * await makerWallet.writeContract(raiseNonceParameters())
 * ```
 */
export function raiseNonceParameters(options: Market = {}) {
  return guardInput('options', () => ({ ...market(options), functionName: 'raiseNonce', args: [] }) as const)
}

function market(options: Market) {
  rejectMisnamedOptions(options, misnamedAddresses)
  const { quoteMarketAddress = QUOTE_MARKET_ADDRESS } = options
  return { address: quoteMarketAddress as Address, abi: quoteMarketAbi } as const
}

/** @throws {InvalidInputError} if a quote is missing, or is an entry of a result that has the signed quote. */
export function requireSignedQuote(quote: SignedQuote, path: string): void {
  if (typeof quote !== 'object' || quote === null) {
    throw new InvalidInputError('must be a signed quote, such as result.quotes[0].quote.', { path, given: quote })
  }
  if ('quote' in quote) throw new InvalidInputError('is a collected quote. Pass its property quote.', { path })
}

/** Selects the nine fields of the ABI's tuple. */
function quoteOf(quote: QuoteMarketQuote): QuoteMarketQuote {
  const { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt } = quote
  for (const [path, value] of Object.entries({ notional, vrtAmount, nonce, deadline })) checkedUint256(value, path)
  return { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt }
}

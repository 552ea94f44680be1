import { INTEREST_RATE_POOL_ADDRESS, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import {
  checkedUint256,
  guardInput,
  interestRatePoolAbi,
  type QuoteMarketQuote,
  quoteMarketAbi,
  type SignedQuote,
} from '@firmquote/core'
import type { Address } from 'viem'
import { checkedAddress, misnamedAddresses } from '../clientConfig.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'

type Market = { quoteMarketAddress?: Address | undefined }
type Pool = { interestRatePoolAddress?: Address | undefined }

/** `approve` of an ERC-20 token. Without the result that the standard has and USDT has not: a refusal reverts in both. */
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
 * The call with which a borrower takes a quote, for viem's `writeContract` or `simulateContract`.
 *
 * @param options.maxCost the most to pay, raw units of the loan token; default what the quote says.
 * @throws {InvalidInputError} when the quote or an option cannot be read.
 * @example
 * ```ts
 * const hash = await walletClient.writeContract(takeQuoteParameters(best.quote))
 * ```
 */
export function takeQuoteParameters(signed: SignedQuote, options: Market & { maxCost?: bigint | undefined } = {}) {
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
 * The call with which a borrower (or a maker) lets the quote market move so many of its loan tokens. Raw units. Tokens such as
 * USDT refuse it while another allowance is left: `approvalSteps` has the calls for every token.
 *
 * @throws {InvalidInputError} when an option is malformed or misnamed.
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
 * The calls that bring the quote market's allowance of an account to an amount, to be sent in this order, each once the one
 * before is in a block. An allowance that is left is set to zero first: tokens such as USDT refuse to change it otherwise.
 *
 * @param options.allowance what the quote market may move now, raw units: the `borrower` check of a verdict has it.
 * @param options.amount what it shall be allowed to move, raw units.
 * @returns none when both are the same, else one call or two.
 * @throws {InvalidInputError} when an option cannot be read.
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
 * The call with which a borrower permits the quote market to open positions for it, or revokes that.
 *
 * @example
 * ```ts
 * await send(setOperatorParameters())
 * // Takes it back.
 * await send(setOperatorParameters({ approved: false }))
 * ```
 */
export function setOperatorParameters(options: Market & Pool & { approved?: boolean | undefined } = {}) {
  const given = { ...options }
  // With `approve: false` ignored, the permission would be given.
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
 * The call with which a maker cancels one of its quotes.
 *
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
 * The call with which a maker ends all of its quotes at once.
 *
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

/** The nine fields alone: other properties do not belong to the ABI's tuple. */
function quoteOf(quote: QuoteMarketQuote): QuoteMarketQuote {
  const { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt } = quote
  for (const [path, value] of Object.entries({ notional, vrtAmount, nonce, deadline })) checkedUint256(value, path)
  return { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt }
}

import { guardInput } from '@firmquote/core/utils'
import { type Address, encodeFunctionData, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem'
import { approvalSteps } from '../executability/takeQuote.ts'
import type { Loan } from './readSettlement.ts'

/**
 * A call that repays a loan. `reset` sets the lender's allowance to zero, and `approve` sets it to `amount`, in raw
 * units of the token. `value` is in wei and always zero.
 */
export type RepayCall = { to: Address; data: Hex; value: bigint } & (
  | { purpose: 'reset' | 'approve'; token: Address; spender: Address; amount: bigint }
  | { purpose: 'repay'; market: Hex }
)

/** Morpho Blue's `repay` and its event. */
const morphoRepayAbi = [
  {
    type: 'function',
    name: 'repay',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'marketParams',
        type: 'tuple',
        components: [
          { name: 'loanToken', type: 'address' },
          { name: 'collateralToken', type: 'address' },
          { name: 'oracle', type: 'address' },
          { name: 'irm', type: 'address' },
          { name: 'lltv', type: 'uint256' },
        ],
      },
      { name: 'assets', type: 'uint256' },
      { name: 'shares', type: 'uint256' },
      { name: 'onBehalf', type: 'address' },
      { name: 'data', type: 'bytes' },
    ],
    outputs: [
      { name: 'assetsRepaid', type: 'uint256' },
      { name: 'sharesRepaid', type: 'uint256' },
    ],
  },
  {
    type: 'event',
    name: 'Repay',
    inputs: [
      { name: 'id', type: 'bytes32', indexed: true },
      { name: 'caller', type: 'address', indexed: true },
      { name: 'onBehalf', type: 'address', indexed: true },
      { name: 'assets', type: 'uint256', indexed: false },
      { name: 'shares', type: 'uint256', indexed: false },
    ],
  },
] as const

/**
 * Returns the calls that repay `amount` of a loan, or all of it if `all` is set, and leave no allowance. Only this
 * function depends on the lender's kind.
 *
 * All of a debt is repaid by shares, which do not grow until the call is mined. An amount in tokens would leave a rest,
 * or revert if it exceeds the debt. Because the debt does grow, the allowance is larger than the debt by a margin.
 *
 * @param allowance The lender's current allowance.
 * @param approved The allowance that repaying needs.
 */
export function repayCalls(
  loan: Loan,
  { account, amount, all, allowance, approved }: Repaying & { account: Address },
): RepayCall[] {
  const { lender, market, params } = loan
  // A caller that sends the calls one by one may have sent the approval already. Any allowance is reset afterwards.
  const isApproved = all && allowance >= amount
  const data = encodeFunctionData({
    abi: morphoRepayAbi,
    functionName: 'repay',
    args: [params, all ? 0n : amount, all ? loan.borrowShares : 0n, account, '0x'],
  })
  return [
    ...(isApproved ? [] : allowanceCalls(loan, allowance, approved)),
    { purpose: 'repay', market, to: lender, data, value: 0n },
    ...(all ? allowanceCalls(loan, approved, 0n) : []),
  ]
}

/** Returns the calls that change the lender's allowance from one amount to another. */
export function allowanceCalls({ lender, params: { loanToken } }: Loan, from: bigint, to: bigint): RepayCall[] {
  // The spender is the lender here.
  const steps = approvalSteps({ loanToken, allowance: from, amount: to, quoteMarketAddress: lender })
  return steps.map((call) => {
    const [spender, amount] = call.args
    const purpose = amount === 0n ? 'reset' : 'approve'
    return { purpose, token: loanToken, spender, amount, to: loanToken, data: encodeFunctionData(call), value: 0n }
  })
}

type Repaying = { amount: bigint; all: boolean; allowance: bigint; approved: bigint }

/**
 * Returns how much of an account's debt a transaction repaid, in raw units of the loan token. Zero if it repaid nothing
 * in this market.
 *
 * @param logs The logs of the transaction's receipt.
 * @param repaid The repayment from the plan, and the account.
 * @throws {InvalidInputError} if an argument is malformed.
 * @example
 * ```ts
 * const parameters = { account: account.address, positionIds: [position.positionId] }
 * const plan = planSettlement(await readSettlement(publicClient, parameters), { repay: true })
 * for (const { to, data } of plan.calls) {
 *   const hash = await walletClient.sendTransaction({ to, data })
 *   const { logs } = await publicClient.waitForTransactionReceipt({ hash })
 *   for (const { lender, market } of plan.repayments) repaidAmount(logs, { lender, market, account: account.address })
 * }
 * ```
 */
export function repaidAmount(logs: readonly Log[], repaid: { lender: Address; market: Hex; account: Address }): bigint {
  return guardInput('logs', () => {
    const { lender, market, account } = repaid
    const ofLender = logs.filter(({ address }) => isAddressEqual(address, lender))
    return parseEventLogs({
      abi: morphoRepayAbi,
      eventName: 'Repay',
      args: { id: market, onBehalf: account },
      logs: ofLender,
    }).reduce((sum, { args }) => sum + args.assets, 0n)
  })
}

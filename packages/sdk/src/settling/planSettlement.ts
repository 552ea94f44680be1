// Why: docs/decisions/0074-settle-and-repay.md
import { guardInput } from '@firmquote/core/utils'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { InvalidInputError } from '../coreErrors.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import type { Loan, SettlementPosition, SettlementReading } from './readSettlement.ts'
import { allowanceCalls, type RepayCall, repayCalls } from './repayCalls.ts'
import { settleParameters, withdrawParameters } from './settleParameters.ts'

/** A call of a plan. `value` is in wei and always zero. */
export type SettlementCall =
  | ({ to: Address; data: Hex; value: bigint } & (
      | { purpose: 'settle'; positionId: bigint }
      | { purpose: 'withdraw'; token: Address }
    ))
  | RepayCall

/** A repayment of one market's debt. Amounts are in raw units of the loan token. */
export type Repayment = {
  lender: Address
  market: Hex
  loanToken: Address
  /** The positions whose payouts are used. */
  positionIds: readonly bigint[]
  /** The debt at the reading's block. */
  debt: bigint
  /** The repaid part of the debt, or all of the debt, without the interest after the block. */
  amount: bigint
  /** Whether all of the debt is repaid. */
  all: boolean
}

/** The calls, and the repayments among them. */
export type SettlementPlan = {
  /** In order: settlements, withdrawals, and for each repayment its approval and the repayment itself. */
  calls: readonly SettlementCall[]
  repayments: readonly Repayment[]
  /**
   * Positions whose payouts repay nothing yet, because a series in their market lacks its checkpoint. The plan's
   * settlements create it. Then read these positions again and plan with `withdrawn`.
   */
  deferred: readonly bigint[]
}

/** Options of {@link planSettlement}. */
export type PlanSettlementOptions = {
  /** Whether to repay debt with the payouts. */
  repay: boolean
  /**
   * Whether the positions' payouts may already be in the account's balance, because earlier calls withdrew them. Then
   * the balance also pays for repayments, and an allowance that none of them needs is reset. Otherwise, no more is
   * repaid than the plan withdraws, so planning twice never repays twice. Default: false.
   */
  withdrawn?: boolean | undefined
}

/** The interest for this many seconds is approved in addition to a debt that is repaid in full. */
const marginSeconds = 60n
const wad = 10n ** 18n

/**
 * Plans the settlement of matured positions, the withdrawal of the account's credits, and the repayment of its debt in
 * the same lending markets. Pure.
 *
 * A market's debt is repaid with the account's payouts as borrower of the given positions in that market, never with
 * other credits. A market is left out until the payouts of all its positions are final.
 *
 * - A payout below the debt: exactly the payout is approved and repaid.
 * - Otherwise, all of the debt is repaid, by its shares. A minute's interest is approved in addition, which the account's
 *   other tokens may pay, and the allowance is reset afterwards.
 *
 * An existing allowance that does not fit is reset first. No allowance is left.
 *
 * **As one batch** (EIP-5792): send all calls. If `deferred` is not empty, continue with those positions as it
 * describes.
 *
 * **One by one:** send the settlements and withdrawals. Then read the same positions again, plan with `withdrawn: true`,
 * and send the remaining calls, including the last `reset`. If a call reverts after an approval, the next plan with
 * `withdrawn` replaces or resets the allowance.
 *
 * **If the wallet refuses or a call reverts:** read again and plan again. The debt may have been repaid or liquidated, or
 * another account may have settled a position or repaid a share. A batch reverts as a whole, so nothing
 * has changed. If it fails again, plan with `repay: false`: the settlement and the withdrawal do not depend on the
 * lender.
 *
 * @param reading From `readSettlement`.
 * @throws {InvalidInputError} if an argument is malformed.
 * @example
 * ```ts
 * const parameters = { account: account.address, positionIds: [position.positionId] }
 * const reading = await readSettlement(publicClient, parameters)
 * const { calls, repayments } = planSettlement(reading, { repay: true })
 * console.log(repayments.map(({ amount }) => amount))
 * await sendCalls(walletClient, calls, { from: account.address, chainId, publicClient })
 * ```
 */
export function planSettlement(reading: SettlementReading, options: PlanSettlementOptions): SettlementPlan {
  const { repay, withdrawn = false } = guardInput('options', () => ({ ...options }))
  for (const [path, value] of Object.entries({ repay, withdrawn })) {
    if (typeof value !== 'boolean') throw new InvalidInputError('must be a boolean.', { path, given: value })
  }
  rejectMisnamedOptions(options, { fromBalance: 'withdrawn' })
  return guardInput('reading', () => {
    const { account, positions } = reading
    const due = positions.filter(({ state }) => state === 'due')
    const debts = debtsOf(reading)
    const planned = planRepayments(reading, { debts: repay ? debts.filter(isRepayable) : [], withdrawn })
    const allowances = new Map<string, bigint>()
    const lenderCalls = debts.flatMap(({ loan }) => {
      const key = `${loan.params.loanToken}:${loan.lender}`
      const allowance = allowances.get(key) ?? loan.allowance
      const found = planned.find((each) => each.loan === loan)
      if (!found && !withdrawn) return []
      allowances.set(key, 0n)
      // An earlier plan's approval may be left over.
      if (!found) return allowanceCalls(loan, allowance, 0n)
      const { amount, all } = found.repayment
      return repayCalls(loan, { account, amount, all, allowance, approved: found.approved })
    })
    const deferred = debts.filter((debt) => repay && debt.loan.debt > 0n && !isRepayable(debt))
    return {
      calls: [
        ...due.map(({ positionId }) => settleCall(reading, positionId)),
        ...tokensToWithdraw(reading, due).map((token) => withdrawCall(reading, token)),
        ...lenderCalls,
      ],
      repayments: planned.map(({ repayment }) => repayment),
      deferred: deferred.flatMap((debt) => debt.positions.map(({ positionId }) => positionId)),
    }
  })
}

/** A debt and the matured positions that the account borrowed in its market. */
type MarketDebt = { loan: Loan; positions: SettlementPosition[] }

/** Groups positions by market, because several pools can share one. Omits markets whose debt is unknown. */
function debtsOf({ positions, loans }: SettlementReading): MarketDebt[] {
  const debts = new Map<string, MarketDebt>()
  for (const position of positions) {
    const loan = loans.find(({ poolId }) => poolId === position.poolId)?.loan
    if (!loan || !position.isBorrower || position.state === 'running') continue
    const key = `${loan.lender}:${loan.market}`
    const debt = debts.get(key) ?? { loan, positions: [] }
    debt.positions.push(position)
    debts.set(key, debt)
  }
  return [...debts.values()]
}

/** Whether there is a debt, and the payouts of all positions are final. */
function isRepayable({ loan, positions }: MarketDebt): boolean {
  return loan.debt > 0n && positions.every(({ payout }) => payout !== null)
}

/** Divides each token's funds among the debts: first the payouts of each market, then what else the margins need. */
function planRepayments(
  reading: SettlementReading,
  { debts, withdrawn }: { debts: readonly MarketDebt[]; withdrawn: boolean },
): { loan: Loan; approved: bigint; repayment: Repayment }[] {
  const spendable = new Map<Address, bigint>()
  const held = new Map<Address, bigint>()
  for (const { loan } of debts) {
    const { loanToken } = loan.params
    const received = amountToWithdraw(reading, loanToken)
    spendable.set(loanToken, withdrawn ? received + loan.balance : received)
    held.set(loanToken, received + loan.balance)
  }
  const funded = debts.map((debt) => {
    const { loanToken } = debt.loan.params
    const payout = least(
      debt.positions.reduce((sum, position) => sum + (position.payout?.toBorrower ?? 0n), 0n),
      spendable.get(loanToken) ?? 0n,
    )
    take(spendable, loanToken, payout)
    take(held, loanToken, payout)
    return { ...debt, payout }
  })
  return funded.flatMap(({ loan, positions, payout }) => {
    if (payout === 0n) return []
    const { lender, market, debt, ratePerSec, params } = loan
    const { loanToken } = params
    const all = payout >= debt
    const most = payout + (held.get(loanToken) ?? 0n)
    const approved = all ? least(debt + marginOf(debt, ratePerSec), most) : payout
    // A payout that exceeds the approval adds to the funds.
    take(held, loanToken, approved - payout)
    const positionIds = positions.map(({ positionId }) => positionId)
    const amount = all ? debt : payout
    return [{ loan, approved, repayment: { lender, market, loanToken, positionIds, debt, amount, all } }]
  })
}

/** A minute's interest, rounded up. At least one unit, because Morpho rounds the debt up again. */
function marginOf(debt: bigint, ratePerSec: bigint): bigint {
  return (debt * ratePerSec * marginSeconds) / wad + 1n
}

/** Returns the minimum payment of a token's withdrawal: the credit and the final payouts of the plan's settlements. */
function amountToWithdraw({ positions, credits }: SettlementReading, token: Address): bigint {
  const added = positions.map(({ state, loanToken, isBorrower, isMaker, payout }) => {
    if (state !== 'due' || loanToken !== token || payout === null) return 0n
    return (isBorrower ? payout.toBorrower : 0n) + (isMaker ? payout.toMaker : 0n)
  })
  return added.reduce((sum, amount) => sum + amount, creditOf(credits, token))
}

function tokensToWithdraw({ credits }: SettlementReading, due: readonly SettlementPosition[]): Address[] {
  const credited = due.filter(({ isBorrower, isMaker }) => isBorrower || isMaker)
  return credits
    .filter(({ token, amount }) => amount > 0n || credited.some(({ loanToken }) => loanToken === token))
    .map(({ token }) => token)
}

function creditOf(credits: SettlementReading['credits'], token: Address): bigint {
  return credits.find((credit) => credit.token === token)?.amount ?? 0n
}

function settleCall({ interestRatePool }: SettlementReading, positionId: bigint): SettlementCall {
  const { address: to, ...call } = settleParameters({ positionId, interestRatePoolAddress: interestRatePool })
  return { purpose: 'settle', positionId, to, data: encodeFunctionData(call), value: 0n }
}

function withdrawCall({ interestRatePool }: SettlementReading, token: Address): SettlementCall {
  const { address: to, ...call } = withdrawParameters({ token, interestRatePoolAddress: interestRatePool })
  return { purpose: 'withdraw', token, to, data: encodeFunctionData(call), value: 0n }
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function take(amounts: Map<Address, bigint>, token: Address, amount: bigint): void {
  amounts.set(token, (amounts.get(token) ?? 0n) - amount)
}

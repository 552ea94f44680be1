// Why: docs/decisions/0074-settle-and-repay.md
import {
  planSettlement,
  type Repayment,
  type SettlementCall,
  type SettlementPlan,
  type SettlementReading,
} from '@firmquote/sdk'
import type { Ended, Job, Payout, Request } from '@firmquote/sdk/jobs'
import type { ChainAccess } from '../chain/useChain.ts'

/** An account's next settlement, withdrawal or repayment. `calls` contains the calls that are left, in order. */
export type SettleStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The positions are loading. */
  | { step: 'wait' }
  /** The positions could not be read. */
  | { step: 'unknown'; error: Error }
  /** No position has matured, and there is no credit. */
  | { step: 'nothing' }
  /** One transaction. `reset` and `approve` change the lender's allowance. */
  | { step: 'settle' | 'withdraw' | 'reset' | 'approve' | 'repay'; calls: readonly SettlementCall[] }
  /**
   * All calls in one confirmation, because the wallet supports atomic batches. The calls of `repayTogether` use payouts
   * that are withdrawn.
   */
  | { step: 'settleTogether' | 'repayTogether'; calls: readonly SettlementCall[] }

/** What is left to do. */
export type SettlePlan = SettlementPlan & {
  /** The next request: all calls as a batch if the wallet supports it, or the first call. */
  forms: readonly (Request & { calls: readonly SettlementCall[] })[]
}

/** What a job remembers of its own requests. The service and the chain do not tell whose withdrawal it was. */
type History = Pick<Job, 'payouts' | 'repays' | 'last'>

/**
 * Plans what is left of a settlement. One by one, everything is settled and withdrawn before debt is repaid with the
 * withdrawn payouts. Pure.
 */
export function planSettle(reading: SettlementReading, history: History, atomic: boolean): SettlePlan {
  const { repays, last } = history
  const kept = history.payouts.filter(({ isWithdrawn }) => isWithdrawn)
  const choose = (isKept: boolean) =>
    reading.positions.filter((one) => kept.some(({ positionId }) => positionId === one.positionId) === isKept)
  const before = planSettlement({ ...reading, positions: choose(false) }, { repay: repays })
  const after = planSettlement(
    // `before` withdraws all credits.
    { ...reading, positions: choose(true), credits: [] },
    { repay: repays && !mayHaveRepaid(last), withdrawn: true },
  )
  const plan = before.calls.length > 0 ? before : after
  const { calls, repayments, deferred } = plan
  const [first] = calls
  const forms: SettlePlan['forms'][number][] = []
  if (atomic && calls.length > 1) {
    const payouts = [...(plan === before ? kept : []), ...deferred.map((id) => ({ positionId: id, isWithdrawn: true }))]
    forms.push({ kind: 'batch', quotes: [], repays: repayments.length > 0, payouts, calls })
  }
  if (first) {
    const payouts = payoutsAfter(first, plan, history.payouts)
    forms.push({ kind: first.purpose, quotes: [], repays: first.purpose === 'repay', payouts, calls: [first] })
  }
  return {
    calls: [...before.calls, ...after.calls],
    repayments: [...before.repayments, ...after.repayments],
    deferred: before.deferred,
    forms,
  }
}

/** Whether the last request may still repay, or may have repaid. Then nothing is repaid again from the balance. */
function mayHaveRepaid(last: Ended | null): boolean {
  return last?.attempt.repays === true && ['failed', 'silent', 'restored'].includes(last.how)
}

/** The payouts that may repay debt after a call. */
function payoutsAfter(
  call: SettlementCall,
  { repayments, deferred }: SettlementPlan,
  payouts: readonly Payout[],
): readonly Payout[] {
  const idsOf = (some: readonly Repayment[]) => some.flatMap(({ positionIds }) => positionIds)
  const without = (ids: readonly bigint[]) => payouts.filter(({ positionId }) => !ids.includes(positionId))
  const marked = (ids: readonly bigint[], isWithdrawn: boolean) => [
    ...without(ids),
    ...ids.map((positionId) => ({ positionId, isWithdrawn })),
  ]
  switch (call.purpose) {
    case 'settle': {
      const isUsed = [...idsOf(repayments), ...deferred].includes(call.positionId)
      return isUsed ? marked([call.positionId], false) : payouts
    }
    case 'withdraw':
      return marked(idsOf(repayments.filter(({ loanToken }) => loanToken === call.token)), true)
    case 'repay':
      // After all of a debt, the rest of the allowance is reset.
      return without(idsOf(repayments.filter(({ market, all }) => market === call.market && !all)))
    case 'reset': {
      const used = idsOf(repayments)
      return payouts.filter(({ positionId, isWithdrawn }) => !isWithdrawn || used.includes(positionId))
    }
    case 'approve':
      return payouts
  }
}

/** Determines the next step. `plan` is undefined until everything is read. Pure. */
export function nextSettleStep(
  chain: ChainAccess['state'],
  { plan, error }: { plan: SettlePlan | undefined; error: Error | null },
): SettleStep {
  if (chain === 'none') return { step: 'connect' }
  if (chain === 'wrongNetwork') return { step: 'switchNetwork' }
  if (error) return { step: 'unknown', error }
  if (chain === 'connecting' || !plan) return { step: 'wait' }
  const { calls, forms } = plan
  const [first] = calls
  if (!first) return { step: 'nothing' }
  if (forms[0]?.kind !== 'batch') return { step: first.purpose, calls }
  const isWithdrawn = first.purpose !== 'settle' && first.purpose !== 'withdraw'
  return { step: isWithdrawn ? 'repayTogether' : 'settleTogether', calls }
}

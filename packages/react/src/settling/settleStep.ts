// Why: docs/decisions/0074-settle-and-repay.md
import {
  planSettlement,
  type Repayment,
  type SettlementCall,
  type SettlementPlan,
  type SettlementPosition,
  type SettlementReading,
} from '@firmquote/sdk'
import type { Ended, Job, Request } from '@firmquote/sdk/jobs'
import type { ChainAccess } from '../chain/useChain.ts'
import type { ChainErrorType } from '../errors.ts'

/** An account's next settlement, withdrawal or repayment. `calls` contains the calls that are left, in order. */
export type SettleStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The positions are loading. */
  | { step: 'wait' }
  /** The positions could not be read. */
  | { step: 'unknown'; error: ChainErrorType }
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

/** A job's earlier requests. The chain does not show which payouts were used. */
type History = Pick<Job, 'payouts' | 'repays' | 'last'>

/**
 * Plans what is left of a settlement. One by one, everything is settled and withdrawn before debt is repaid with the
 * withdrawn payouts. Pure.
 */
export function planSettle(reading: SettlementReading, history: History, atomic: boolean): SettlePlan {
  const { payouts, repays, last } = history
  const isWithdrawn = ({ positionId, state, loanToken }: SettlementPosition) =>
    state === 'settled' &&
    payouts.some((payout) => payout.positionId === positionId) &&
    reading.credits.every(({ token, amount }) => token !== loanToken || amount === 0n)
  const pending = reading.positions.filter((position) => !isWithdrawn(position))
  const withdrawn = reading.positions.filter(isWithdrawn)
  const before = planSettlement({ ...reading, positions: pending }, { repay: repays })
  const after = planSettlement(
    // `before` withdraws all credits.
    { ...reading, positions: withdrawn, credits: [] },
    { repay: repays && !mayHaveRepaid(last), withdrawn: true },
  )
  const plan = before.calls.length > 0 ? before : after
  const { calls, repayments, deferred } = plan
  const [first] = calls
  const forms: SettlePlan['forms'][number][] = []
  if (atomic && calls.length > 1) {
    const left = [...(plan === before ? withdrawn.map(({ positionId }) => positionId) : []), ...deferred]
    forms.push({ kind: 'batch', quotes: [], repays: repayments.length > 0, payouts: payoutsOf(left), calls })
  }
  if (first) {
    const left = payoutsAfter(
      first,
      plan,
      payouts.map(({ positionId }) => positionId),
    )
    forms.push({
      kind: first.purpose,
      quotes: [],
      repays: first.purpose === 'repay',
      payouts: payoutsOf(left),
      calls: [first],
    })
  }
  return {
    calls: [...before.calls, ...after.calls],
    repayments: [...before.repayments, ...after.repayments],
    deferred: before.deferred,
    forms,
  }
}

const payoutsOf = (ids: readonly bigint[]) => [...new Set(ids)].map((positionId) => ({ positionId }))

/** Whether the last request may still repay, or may have repaid. Then nothing is repaid again from the balance. */
function mayHaveRepaid(last: Ended | null): boolean {
  return last?.attempt.repays === true && ['failed', 'silent', 'restored'].includes(last.how)
}

/** The positions with whose payouts debt may be repaid after a call. */
function payoutsAfter(
  call: SettlementCall,
  { repayments, deferred }: SettlementPlan,
  kept: readonly bigint[],
): readonly bigint[] {
  const idsOf = (isMeant: (repayment: Repayment) => boolean) =>
    repayments.filter(isMeant).flatMap(({ positionIds }) => positionIds)
  switch (call.purpose) {
    case 'settle':
      return [...idsOf(() => true), ...deferred].includes(call.positionId) ? [...kept, call.positionId] : kept
    case 'withdraw':
      return [...kept, ...idsOf(({ loanToken }) => loanToken === call.token)]
    case 'approve':
      return kept
    case 'repay': {
      // After all of a debt, the rest of the allowance is reset.
      const used = idsOf(({ market, all }) => market === call.market && !all)
      return kept.filter((positionId) => !used.includes(positionId))
    }
    case 'reset': {
      const used = idsOf(() => true)
      return kept.filter((positionId) => used.includes(positionId))
    }
  }
}

/** Determines the next step. `plan` is undefined until everything is read. Pure. */
export function nextSettleStep(
  chain: ChainAccess['state'],
  { plan, error }: { plan: SettlePlan | undefined; error: ChainErrorType | null },
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

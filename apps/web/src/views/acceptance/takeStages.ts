import type { TakeState, Transaction } from '@firmquote/react'
import type { StepState } from '../../ui/Stepper.tsx'

/** One confirmation in the wallet. */
export type Stage = { name: 'allow' | 'permit' | 'take'; state: StepState }

/**
 * Returns the three consecutive confirmations and their states. Existing approvals count as done. Returns null if the
 * next step is not a confirmation, or if all three are sent in one batch. Pure.
 *
 * @param given.transaction The last transaction for the next step.
 * @param given.isPending Whether that transaction is pending, or confirmed but not yet seen by the checks.
 * @param given.permitted Whether the market may open positions for the account.
 */
export function takeStages(
  step: TakeState['step'],
  given: { transaction: Transaction['state']; isPending: boolean; permitted: boolean },
): Stage[] | null {
  const { transaction, isPending, permitted } = given
  const current: StepState = isPending
    ? 'busy'
    : transaction === 'reverted' || transaction === 'failed'
      ? 'failed'
      : 'current'
  switch (step) {
    case 'reset':
    case 'approve':
      return stages(current, permitted ? 'done' : 'todo', 'todo')
    case 'permit':
      return stages('done', current, 'todo')
    case 'take':
      return stages('done', 'done', current)
    case 'onItsWay':
      return stages('done', 'done', 'busy')
    default:
      return null
  }
}

function stages(allow: StepState, permit: StepState, take: StepState): Stage[] {
  return [
    { name: 'allow', state: allow },
    { name: 'permit', state: permit },
    { name: 'take', state: take },
  ]
}

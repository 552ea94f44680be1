import type { TakeState, Transaction } from '@firmquote/react'
import type { StepState } from '../../ui/Stepper.tsx'

/** One confirmation in the wallet. */
export type Stage = { name: 'allow' | 'permit' | 'take'; state: StepState }

/**
 * The three things that are confirmed one after the other, and where each stands: what is given already counts as done. Null
 * where none of them comes next, or all of them come as one. Pure.
 *
 * @param given.transaction the last one of the step that comes next.
 * @param given.isPending whether that one is under way, or not read by the checks yet.
 * @param given.permitted whether the market may open positions for the account.
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

import type { SettleResult } from '@firmquote/react'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { Stepper, type StepState } from '../../ui/Stepper.tsx'

/** The two confirmations for a wallet without batches. */
export function SettleSteps({ isSettled, settle }: { isSettled: boolean; settle: SettleResult }) {
  const { settle: words } = usePositionsTexts()
  const { transaction, isPending } = settle
  const hasFailed = transaction.state === 'failed' || transaction.state === 'reverted'
  const current: StepState = isPending ? 'busy' : hasFailed ? 'failed' : 'current'
  return (
    <Stepper
      label={words.steps}
      stateWords={words.stateWords}
      steps={[
        { name: 'settle', state: isSettled ? 'done' : current, title: words.settleStep },
        { name: 'withdraw', state: isSettled ? current : 'todo', title: words.withdrawStep },
      ]}
    />
  )
}

import type { SettleResult } from '@firmquote/react'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { Stepper, type StepState } from '../../ui/Stepper.tsx'

/** The confirmations for a wallet without batches. */
export function SettleSteps({ settle, repays }: { settle: SettleResult; repays: boolean }) {
  const { settle: words } = usePositionsTexts()
  const { state, transaction, isPending } = settle
  const hasFailed = transaction.state === 'failed' || transaction.state === 'reverted'
  const current: StepState = isPending ? 'busy' : hasFailed ? 'failed' : 'current'
  const { step } = state
  const at = step === 'settle' ? 0 : step === 'withdraw' ? 1 : step === 'nothing' ? 3 : 2
  const titles = [words.settleStep, words.withdrawStep, ...(repays ? [words.repayStep] : [])]
  return (
    <Stepper
      label={words.steps}
      stateWords={words.stateWords}
      steps={titles.map((title, index) => ({
        name: title,
        title,
        state: index < at ? 'done' : index === at ? current : 'todo',
      }))}
    />
  )
}

import type { Pool, TakeResult, TakeStep } from '@firmquote/react'
import type { SignedQuote } from '@firmquote/sdk'
import { useId } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { describeStep } from './describeStep.ts'
import { explainFailure } from './explainFailure.ts'
import styles from './NextStep.module.css'
import { Progress } from './Progress.tsx'
import { takeStages } from './takeStages.ts'

/** The next step and why it is needed, and the last confirmed step's state. */
export function NextStep(props: {
  state: TakeStep
  take: TakeResult
  signed: SignedQuote
  pool: Pool
  silent: boolean
}) {
  const { state, take, signed, pool, silent } = props
  const words = useWords()
  const { take: texts } = useAcceptanceTexts()
  const verdict = take.executability.data
  const id = useId()
  const { title, lead } = describeStep(state, { signed, token: pool.loanToken, verdict }, words)
  return (
    <section className={styles['next']} aria-labelledby={id} data-print="no">
      <div>
        <h2 id={id}>{title}</h2>
        <p className={styles['lead']}>{lead}</p>
      </div>
      <Stages take={take} />
      {state.step === 'unknown' && (
        <Notice tone="danger" title={texts.notRead}>
          <p>{explainFailure(state.error, words).message}</p>
        </Notice>
      )}
      <Progress transaction={take.transaction} silent={silent} inBar />
    </section>
  )
}

/** The three confirmations, if the wallet asks for each separately. */
export function Stages({ take }: { take: TakeResult }) {
  const { stages: texts } = useAcceptanceTexts()
  const { step } = take.state
  const stages = takeStages(step, {
    transaction: take.transaction.state,
    isPending: take.isPending,
    permitted: take.executability.data?.checks[5].isOperator ?? false,
  })
  if (!stages) return null
  const steps = stages.map(({ name, state }) => ({
    name,
    state,
    title: texts.titles[name],
    // A finished step needs no explanation. A single step is explained by the text above the list.
    ...(state !== 'done' &&
      step !== 'take' && { note: step === 'reset' && name === 'allow' ? texts.reset : texts.notes[name] }),
  }))
  return <Stepper label={texts.label} steps={steps} stateWords={texts.states} />
}

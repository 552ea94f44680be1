import type { TakeResult, Token } from '@firmquote/react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import styles from './Confirmations.module.css'
import { takeStages } from './takeStages.ts'

/**
 * The confirmations in the wallet, in order. Opens during the first one.
 *
 * @param props.most The maximum cost if other quotes replace the chosen ones, in raw units. Null if there are none.
 */
export function Confirmations({ take, most, token }: { take: TakeResult; most: bigint | null; token: Token }) {
  const { steps, take: texts } = useAcceptanceTexts()
  const formats = useFormats()
  const { state, transaction, isPending } = take
  if (!('calls' in state)) return null
  const isOne = state.step === 'takeTogether' || state.step === 'take'
  return (
    <Disclosure
      title={steps.confirmations(isOne ? 1 : state.calls.length)}
      open={!isOne && (isPending || transaction.state !== 'idle')}
    >
      <div className={styles['confirmations']}>
        <Stages take={take} />
        <p>{state.step === 'takeTogether' || state.step === 'take' ? steps[state.step] : steps.several}</p>
        {most !== null && <p>{texts.nextBest(formats.withSymbol(formats.cost(most, token), token))}</p>}
      </div>
    </Disclosure>
  )
}

/** The confirmations, if the wallet asks for several. */
function Stages({ take }: { take: TakeResult }) {
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
    // A finished step needs no explanation.
    ...(state !== 'done' &&
      step !== 'take' && { note: step === 'reset' && name === 'allow' ? texts.reset : texts.notes[name] }),
  }))
  return <Stepper label={texts.label} steps={steps} stateWords={texts.states} />
}

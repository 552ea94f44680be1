import type { Pool, TakeResult } from '@firmquote/react'
import { useId } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { ChainFailure } from '../../fixing/ChainFailure.tsx'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { describeStep, type OpenState } from './describeStep.ts'
import type { FoundQuotes } from './findQuote.ts'
import styles from './NextStep.module.css'
import { Progress } from './Progress.tsx'
import { takeStages } from './takeStages.ts'

/** The next step and why it is needed, and the last confirmed step's state. */
export function NextStep(props: {
  state: OpenState
  take: TakeResult
  chosen: FoundQuotes['chosen']
  pool: Pool
  silent: boolean
  /** The maximum cost if other offers take the place of these, in raw units. Null if there are none. */
  most: bigint | null
}) {
  const { state, take, chosen, pool, silent, most } = props
  const [{ signed }] = chosen
  const replacement = take.planned.filter((quote) => chosen.every(({ hash }) => hash !== quote.hash))
  const words = useWords()
  const { take: texts } = useAcceptanceTexts()
  const verdict = take.executability.data
  const id = useId()
  const { loanToken: token } = pool
  const { title, lead } = describeStep(state, { signed, token, verdict }, words)
  return (
    <section className={styles['next']} aria-labelledby={id} data-print="no">
      <div>
        <h2 id={id}>{title}</h2>
        <p className={styles['lead']}>{lead}</p>
        {'calls' in state && most !== null && (
          <p className={styles['lead']}>
            {texts.nextBest(words.formats.withSymbol(words.formats.exact(most, token), token))}
          </p>
        )}
      </div>
      <Stages take={take} />
      {replacement.length > 0 && (
        <Notice title={texts.gone}>
          <p>
            {texts.replaced(
              <Amount value={sum(replacement, 'notional')} token={token} />,
              <Amount cost value={sum(replacement, 'cost')} token={token} />,
            )}
          </p>
        </Notice>
      )}
      {state.step === 'unknown' && <ChainFailure tone="danger" title={texts.notRead} error={state.error} />}
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

function sum(quotes: TakeResult['planned'], of: 'notional' | 'cost'): bigint {
  return quotes.reduce((total, quote) => total + quote[of], 0n)
}

import type { Pool, TakeResult } from '@firmquote/react'
import { useId } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { ChainFailure } from '../../fixing/ChainFailure.tsx'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { describeStep, type OpenState } from './describeStep.ts'
import type { FoundQuotes } from './findQuote.ts'
import styles from './NextStep.module.css'
import { Progress } from './Progress.tsx'

/** The reason why the quotes cannot be taken yet, the replaced quotes, and the last transaction's state. */
export function NextStep(props: {
  state: OpenState
  take: TakeResult
  chosen: FoundQuotes['chosen']
  pool: Pool
  silent: boolean
}) {
  const { state, take, chosen, pool, silent } = props
  const [{ signed }] = chosen
  const replacement = take.planned.filter((quote) => chosen.every(({ hash }) => hash !== quote.hash))
  const words = useWords()
  const { take: texts } = useAcceptanceTexts()
  const verdict = take.executability.data
  const id = useId()
  const { loanToken: token } = pool
  const described = describeStep(state, { signed, token, verdict }, words)
  return (
    <div className={styles['next']} data-print="no">
      {described && (
        <section aria-labelledby={id}>
          <h2 id={id}>{described.title}</h2>
          <p className={styles['lead']}>{described.lead}</p>
        </section>
      )}
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
    </div>
  )
}

function sum(quotes: TakeResult['planned'], of: 'notional' | 'cost'): bigint {
  return quotes.reduce((total, quote) => total + quote[of], 0n)
}

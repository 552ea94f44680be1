import { type ExecutabilityReading, type Token, useChain } from '@firmquote/react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Details } from '../../ui/Details.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { type ExplainedCheck, explainChecks, isUpToVisitor } from './explainChecks.ts'
import styles from './SafeToTake.module.css'

/**
 * Shows whether the quote is safe to take. Collapsed while all checks pass. Without a verdict, all checks are unknown
 * and count as failed.
 */
export function SafeToTake(props: {
  reading: ExecutabilityReading
  token: Token
  /** Called when the visitor agrees to take the smaller amount. Absent if that is already agreed. */
  onTakeLess?: () => void
  /** The quote's number if several are combined, from 1. */
  index?: number
}) {
  const { reading, token, onTakeLess, index } = props
  const chain = useChain()
  const { checks: texts } = useAcceptanceTexts()
  const words = useWords()
  const found = reading.data ? explainChecks(reading.data, token, words) : null
  const failed = found?.some((check) => !check.ok && !isUpToVisitor(check)) ?? false
  const passed = found?.filter(({ ok }) => ok).length ?? 0
  const title = found
    ? (failed || passed === found.length ? texts.passed : texts.needsApproval)(passed, found.length)
    : reading.error
      ? texts.notRead
      : chain.state === 'none'
        ? texts.noWallet
        : chain.state === 'wrongNetwork'
          ? texts.otherNetwork
          : texts.beingChecked
  const rows: readonly (ExplainedCheck | { name: string; title: string; ok: null })[] =
    found ?? Object.entries(texts.titles).map(([name, title]) => ({ name, title, ok: null }))
  return (
    <Disclosure title={index === undefined ? title : texts.ofQuote(index, title)} open={failed}>
      <p className={styles['finding']}>
        {reading.data ? texts.leadRead(reading.data.block.number.toString()) : texts.lead}
      </p>
      <ol className={styles['checks']}>
        {rows.map((check) => (
          <li key={check.name} data-check={check.name} data-ok={check.ok ?? 'unknown'}>
            <Mark
              look={check.ok === null ? 'unknown' : check.ok ? 'passed' : isUpToVisitor(check) ? 'next' : 'failed'}
            />
            <div>
              <h3>{check.title}</h3>
              <p className={styles['finding']}>{check.ok === null ? texts.unknown : check.finding}</p>
              {check.ok === false && check.code !== undefined && <Details>{check.code}</Details>}
            </div>
            {check.ok === false &&
              check.remedies.map((remedy) =>
                remedy.do === 'takeLess' && onTakeLess ? (
                  <Button key={remedy.do} onClick={onTakeLess}>
                    {texts.takeInstead(words.formats.withSymbol(words.formats.exact(remedy.notional, token), token))}
                  </Button>
                ) : null,
              )}
          </li>
        ))}
      </ol>
    </Disclosure>
  )
}

const marks = {
  unknown: { word: 'unknownMark', path: 'M5 8h6' },
  next: { word: 'nextMark', path: 'M5 8h6' },
  passed: { word: 'passedMark', path: 'M4.5 8.5l2.5 2.5 4.5-5.5' },
  failed: { word: 'failedMark', path: 'M5 5l6 6M11 5l-6 6' },
} as const

function Mark({ look }: { look: keyof typeof marks }) {
  const { checks } = useAcceptanceTexts()
  const { word, path } = marks[look]
  return (
    <span className={`${styles['mark']} ${styles[look]}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <span className="unseen">{checks[word]}</span>
    </span>
  )
}

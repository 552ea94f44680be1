import { formatPrincipal } from '@firmquote/sdk'
import type { Token } from '../../service/serviceContext.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './CheckList.module.css'
import { checkTitles, type ExplainedCheck, type Remedy } from './explainChecks.ts'

/** The six checks. Without a verdict each of them is unknown, which is never fine. */
export function CheckList(props: { checks: readonly ExplainedCheck[] | null; token: Token; onTakeLess: () => void }) {
  const { checks } = props
  const rows: readonly (ExplainedCheck | { name: string; title: string; ok: null })[] =
    checks ?? Object.entries(checkTitles).map(([name, title]) => ({ name, title, ok: null }))
  return (
    <ol className={styles['checks']}>
      {rows.map((check) => (
        <li key={check.name} data-check={check.name} data-ok={check.ok ?? 'unknown'}>
          <Mark ok={check.ok} />
          <div>
            <h3>{check.title}</h3>
            <p className={styles['finding']}>
              {check.ok === null ? 'Not known yet.' : check.finding}
              {check.ok === false && check.code !== undefined && <span className={styles['code']}> {check.code}</span>}
            </p>
          </div>
          {check.ok === false && (
            <div className={styles['remedies']}>
              {check.remedies.map((remedy) => (
                <RemedyButton key={remedy.do} {...props} remedy={remedy} />
              ))}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}

function Mark({ ok }: { ok: boolean | null }) {
  const [look, word, path] =
    ok === null
      ? ['unknown', 'Unknown', 'M5 8h6']
      : ok
        ? ['passed', 'Passed', 'M4.5 8.5l2.5 2.5 4.5-5.5']
        : ['failed', 'Failed', 'M5 5l6 6M11 5l-6 6']
  return (
    <span className={`${styles['mark']} ${styles[look]}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <span className="unseen">{word}:</span>
    </span>
  )
}

/** What the main button below does not do: other ways out. */
function RemedyButton(props: { remedy: Remedy; token: Token; onTakeLess: () => void }) {
  const { remedy, token } = props
  switch (remedy.do) {
    case 'takeLess':
      return (
        <Button onClick={props.onTakeLess}>
          Take {formatPrincipal(remedy.notional, token.decimals)} {token.symbol} instead
        </Button>
      )
    case 'fund':
      return (
        <p className={styles['finding']}>
          You need {formatPrincipal(remedy.missing, token.decimals)} {token.symbol} more.
        </p>
      )
    case 'approve':
    case 'permit':
      return null
  }
}

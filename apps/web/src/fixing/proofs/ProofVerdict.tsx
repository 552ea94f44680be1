import type { Statement } from '@firmquote/verify'
import { type ReactNode, useEffect } from 'react'
import { describeStatement } from '../../copy/describeStatement.ts'
import type { ProofsTexts } from '../../copy/enProofs.ts'
import { useProofsTexts } from '../../copy/proofsTexts.ts'
import { useWords } from '../../copy/words.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Details } from '../../ui/Details.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { Checked } from './checkProof.ts'
import styles from './ProofVerdict.module.css'

/**
 * The outcome of a check: the statements, proved or not, or the reason for a refusal. Screen readers hear it once. `proved` are the
 * caller's own findings.
 */
export function ProofVerdict({ checked, proved = [] }: { checked: Checked; proved?: readonly string[] }) {
  const texts = useProofsTexts()
  const announce = useAnnounce()
  const said = sayChecked(checked, texts)
  useEffect(() => announce(said), [announce, said])
  switch (checked.kind) {
    case 'valid':
      return <Valid type={checked.type} statements={checked.statements} proved={proved} />
    case 'refused':
      return (
        <Notice tone="warning" title={texts.verdict.refused}>
          <p>{texts.verdict.causes[checked.cause]}</p>
          <p className={styles['reason']}>
            {texts.verdict.reason}: <span lang="en">{checked.reason}</span>
          </p>
        </Notice>
      )
    case 'badPolicy':
      return (
        <Notice tone="warning" title={texts.verdict.policy}>
          {texts.policy[checked.problem](checked.line)}
        </Notice>
      )
    case 'unsupported':
      return (
        <Notice tone="warning" title={texts.verdict.unsupported}>
          {texts.verdict.unsupportedWhy}
        </Notice>
      )
  }
}

function Valid(
  props: Pick<Extract<Checked, { kind: 'valid' }>, 'type' | 'statements'> & { proved: readonly string[] },
) {
  const { type, statements } = props
  const texts = useProofsTexts()
  const words = useWords()
  const { verdict } = texts
  const say = (isProved: boolean) =>
    statements.filter((one) => one.isProved === isProved).map((one) => describeStatement(one, texts, words))
  return (
    <div className={styles['verdict']}>
      <Notice title={verdict.valid}>{verdict.types[type]}</Notice>
      <Statements title={verdict.proved} mark="✓" list={[...props.proved, ...say(true)]} />
      <Statements title={verdict.notProved} mark="–" list={say(false)} />
      <Details>
        <Originals statements={statements} />
      </Details>
    </div>
  )
}

/** The verifier's own words, with ids and hashes. */
function Originals({ statements }: { statements: readonly Statement[] }) {
  return (
    <ul className={styles['originals']} lang="en">
      {statements.map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

function Statements({ title, mark, list }: { title: string; mark: string; list: readonly string[] }): ReactNode {
  if (list.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles['statements']}>
        {list.map((text) => (
          <li key={text}>
            <span aria-hidden="true">{mark}</span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The outcome in a sentence. Pure. */
function sayChecked(checked: Checked, { verdict, policy }: ProofsTexts): string {
  switch (checked.kind) {
    case 'valid': {
      const proved = checked.statements.filter(({ isProved }) => isProved).length
      return verdict.saidValid(proved, checked.statements.length - proved)
    }
    case 'refused':
      return `${verdict.refused}. ${verdict.causes[checked.cause]}`
    case 'badPolicy':
      return policy[checked.problem](checked.line)
    case 'unsupported':
      return `${verdict.unsupported}. ${verdict.unsupportedWhy}`
  }
}

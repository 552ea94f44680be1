import { useHowTexts } from '../../copy/howTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { contractsHref, proofsHref } from '../../routes.ts'
import { Panel, Section } from '../../ui/Panel.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './HowView.module.css'
import { Payoff } from './Payoff.tsx'

/** Explains fixing, its outcome, its risks, and the parties involved. */
export function HowView() {
  const how = useHowTexts()
  const { title, lead } = useTexts().openings.how
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      <Panel title={how.picture}>
        <Payoff />
      </Panel>
      <Section title={how.order}>
        <ol className={styles['steps']}>
          {how.steps.map(({ when, what }) => (
            <li key={when}>
              <h3>{when}</h3>
              <p>{what}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section title={how.risks}>
        <dl className={styles['risks']}>
          {how.riskList.map(({ risk, meaning }) => (
            <div key={risk}>
              <dt>{risk}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={how.makers}>
        <p className={styles['text']}>{how.makersText}</p>
      </Section>
      <Section title={how.service}>
        <div className={styles['powers']}>
          <Powers title={how.can} list={how.canList} />
          <Powers title={how.cannot} list={how.cannotList} />
        </div>
        <p className={styles['proofs']}>
          <a href={proofsHref}>{how.proofs}</a>
        </p>
      </Section>
      <p>
        <a href={contractsHref}>{how.contracts}</a>
      </p>
    </>
  )
}

function Powers({ title, list }: { title: string; list: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles['list']}>
        {list.map((power) => (
          <li key={power}>{power}</li>
        ))}
      </ul>
    </div>
  )
}

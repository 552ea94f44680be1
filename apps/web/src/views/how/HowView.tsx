import { configQuery, useService } from '@firmquote/react'
import { getChainName } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearch } from 'wouter'
import { useHowTexts } from '../../copy/howTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { AddressLink } from '../../ui/AddressLink.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './HowView.module.css'
import { Payoff } from './Payoff.tsx'

/** Explains fixing, its outcome, its risks, and the parties involved. */
export function HowView() {
  const { client } = useService()
  // The configuration was loaded when the app started.
  const { data: config } = useQuery(configQuery(client))
  const how = useHowTexts()
  const { title, lead } = useTexts().openings.how
  const part = new URLSearchParams(useSearch()).get('part')
  useEffect(() => {
    if (part !== 'contracts') return
    // Wait for the new page to scroll to the top.
    const frame = requestAnimationFrame(() => document.getElementById(part)?.scrollIntoView())
    return () => cancelAnimationFrame(frame)
  }, [part])
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
      </Section>
      {config && (
        <div id="contracts" className={styles['target']}>
          <Section title={how.contracts} lead={how.contractsLead(getChainName(config.chainId), config.chainId)}>
            <dl className={styles['contracts']}>
              {contractKeys.map((key) => (
                <div key={key}>
                  <dt>
                    {how.contractNames[key].name}
                    <span className={styles['purpose']}>{how.contractNames[key].purpose}</span>
                  </dt>
                  <dd className={styles['address']}>
                    <AddressLink whole address={config.contracts[key]} />
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
        </div>
      )}
    </>
  )
}

const contractKeys = ['quoteMarket', 'interestRatePool', 'bundler3', 'keeperBundler'] as const

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

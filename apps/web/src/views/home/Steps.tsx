import { configQuery, useService } from '@firmquote/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useWords } from '../../copy/words.ts'
import { howHref } from '../../routes.ts'
import { Section } from '../../ui/Panel.tsx'
import styles from './Steps.module.css'

/** Explains how to fix a rate in three steps. */
export function Steps() {
  const { client } = useService()
  const { texts, formats } = useWords()
  const { steps } = texts.home
  // Loaded before this view.
  const { data: config } = useSuspenseQuery(configQuery(client))
  return (
    <Section title={steps.title} aside={<a href={howHref()}>{steps.more}</a>}>
      <ol className={styles['steps']}>
        {steps.list(formats.time(config.auction.durationMs / 1000)).map(({ name, what }) => (
          <li key={name}>
            <h3>{name}</h3>
            <p>{what}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

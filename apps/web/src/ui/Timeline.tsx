import type { ReactNode } from 'react'
import { useFormats } from '../copy/words.ts'
import styles from './Timeline.module.css'

/** A past, present or future event. `at` is in Unix seconds. */
export type TimelineEvent = { name: string; at: number; title: string; children?: ReactNode }

/**
 * A timeline that separates past from future events. `nowWords` labels the present, and `nowNote` describes the current
 * state. `now` is in Unix seconds.
 */
export function Timeline(props: {
  label: string
  events: readonly TimelineEvent[]
  now: number
  nowWords: string
  nowNote?: ReactNode
}) {
  const events = props.events.toSorted((a, b) => a.at - b.at)
  const past = events.filter(({ at }) => at <= props.now)
  const future = events.filter(({ at }) => at > props.now)
  return (
    <ol className={styles['line']} aria-label={props.label}>
      {past.map((event) => (
        <Entry key={event.name} event={event} past />
      ))}
      <li className={`${styles['entry']} ${styles['now']}`} aria-current="time">
        <p className={styles['day']}>{props.nowWords}</p>
        {props.nowNote !== undefined && <div className={styles['more']}>{props.nowNote}</div>}
      </li>
      {future.map((event) => (
        <Entry key={event.name} event={event} />
      ))}
    </ol>
  )
}

function Entry({ event, past = false }: { event: TimelineEvent; past?: boolean }) {
  const formats = useFormats()
  return (
    <li className={`${styles['entry']} ${past ? styles['past'] : ''}`}>
      <time className={styles['day']} dateTime={new Date(event.at * 1000).toISOString()}>
        {formats.day(event.at)}
      </time>
      <div>
        <p className={styles['title']}>{event.title}</p>
        {event.children !== undefined && <div className={styles['more']}>{event.children}</div>}
      </div>
    </li>
  )
}

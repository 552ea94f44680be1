import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

/** A titled part of a view. `aside` stands at the end of the title's line: a filter, a link. */
export function Panel(props: { title: string; lead?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['panel']} aria-labelledby={id}>
      <header className={styles['head']}>
        <div>
          <h2 id={id}>{props.title}</h2>
          {props.lead !== undefined && <p className={styles['lead']}>{props.lead}</p>}
        </div>
        {props.aside}
      </header>
      {props.children}
    </section>
  )
}

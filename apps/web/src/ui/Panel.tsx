import { type ReactNode, useId } from 'react'
import styles from './Panel.module.css'

/**
 * Props of a titled part of a view. `aside`, such as a filter or a link, goes at the end of the title line.
 */
type Titled = { title: string; lead?: ReactNode; aside?: ReactNode; children: ReactNode }

/** A titled box for a view's main decision. */
export function Panel(props: Titled) {
  return <Part {...props} className={styles['panel']} />
}

/** A titled section below a thin line, for all other content. */
export function Section(props: Titled) {
  return <Part {...props} className={styles['section']} />
}

function Part(props: Titled & { className: string | undefined }) {
  const id = useId()
  return (
    <section className={props.className} aria-labelledby={id}>
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

import type { ReactNode } from 'react'
import styles from './ViewHead.module.css'

/** A view's title and introduction. `aside`, such as a link back, goes at the end of the title line. */
export function ViewHead(props: { title: string; aside?: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles['head']}>
      <h1>{props.title}</h1>
      {props.aside}
      {props.children !== undefined && <p className={styles['lead']}>{props.children}</p>}
    </div>
  )
}

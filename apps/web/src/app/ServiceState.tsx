import type { ServiceHealth } from '@firmquote/sdk'
import { useTexts } from '../copy/words.ts'
import { statusHref } from '../routes.ts'
import styles from './ServiceState.module.css'

/** A short description of the service's state, for the footer. If `health` is undefined, the state is unknown. */
export function ServiceState({ health }: { health: ServiceHealth | undefined }) {
  const { app } = useTexts()
  const state = !health ? 'unknown' : health.status === 'ok' ? 'ok' : 'bad'
  return (
    <a href={statusHref} className={styles['state']}>
      <span className={`${styles['dot']} ${styles[state]}`} aria-hidden="true" />
      {app.states[state]}
    </a>
  )
}

import type { ServiceHealth } from '@firmquote/sdk'
import { useTexts } from '../copy/words.ts'
import styles from './ServiceState.module.css'

/** The service's state in a few words, for the footer. Without `health` the state is unknown. */
export function ServiceState({ health }: { health: ServiceHealth | undefined }) {
  const { app } = useTexts()
  const state = !health ? 'unknown' : health.status === 'ok' ? 'ok' : 'bad'
  return (
    <a href="/api/v1/health" className={styles['state']}>
      <span className={`${styles['dot']} ${styles[state]}`} aria-hidden="true" />
      {app.states[state]}
    </a>
  )
}

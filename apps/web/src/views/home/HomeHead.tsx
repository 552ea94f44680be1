import { useTexts } from '../../copy/words.ts'
import styles from './HomeView.module.css'

/** Explains the app's purpose. Visitors with a wallet see their loans instead. */
export function HomeHead({ connected = false }: { connected?: boolean }) {
  const { home } = useTexts()
  return (
    <div className={connected ? undefined : styles['head']}>
      <h1>{connected ? home.account : home.title}</h1>
      {!connected && <p>{home.lead}</p>}
    </div>
  )
}

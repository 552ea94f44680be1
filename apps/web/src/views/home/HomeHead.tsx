import { useTexts } from '../../copy/words.ts'
import styles from './HomeView.module.css'

/** What the page is for. Who has connected a wallet knows it, and sees the own loans at once. */
export function HomeHead({ connected = false }: { connected?: boolean }) {
  const { home } = useTexts()
  return (
    <div className={connected ? undefined : styles['head']}>
      <h1>{home.title}</h1>
      {!connected && <p>{home.lead}</p>}
    </div>
  )
}

import { useState } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './AddressLink.module.css'
import { useAnnounce } from './announce.tsx'

/**
 * Copies text to the clipboard and reports the result. Shows an icon labelled `label`, or the label itself if `words`
 * is set.
 */
export function CopyButton({ text, label, words = false }: { text: string; label: string; words?: boolean }) {
  const { copy } = useTexts().common
  const [news, setNews] = useState<string | null>(null)
  const announce = useAnnounce()
  const tell = (outcome: string) => {
    setNews(outcome)
    announce(outcome)
  }
  const write = async () => {
    try {
      // The clipboard is unavailable over plain HTTP from another machine, and this call throws.
      await navigator.clipboard.writeText(text)
      tell(copy.copied)
    } catch {
      tell(copy.failed)
    }
  }
  return (
    <>
      <button
        type="button"
        className={styles['copy']}
        aria-label={words ? undefined : label}
        onClick={write}
        onBlur={() => setNews(null)}
      >
        {words ? (
          label
        ) : (
          <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
            <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" fill="none" stroke="currentColor" />
          </svg>
        )}
      </button>
      {news !== null && <span className={styles['news']}>{news}</span>}
    </>
  )
}

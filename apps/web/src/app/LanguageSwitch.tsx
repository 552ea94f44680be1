import { languages, useWords } from '../copy/words.ts'
import styles from './LanguageSwitch.module.css'
import { saveLanguageChoice } from './languageChoice.ts'

/** Languages whose number formats differ. */
const numberStyles = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN']

/**
 * Chooses the language of the texts and the format of numbers. A choice reloads the page, because an amount that was
 * typed in one format may mean something else in another.
 */
export function LanguageSwitch() {
  const { texts, language } = useWords()
  const { app } = texts
  // The current format comes first, and each format once.
  const samples = new Map<string, string>()
  for (const tag of [language.numbers, ...numberStyles]) {
    if (!samples.has(sampleOf(tag))) samples.set(sampleOf(tag), tag)
  }
  const choose = (name: 'language' | 'numbers') => (event: { target: HTMLSelectElement }) => {
    saveLanguageChoice(name, event.target.value)
    location.reload()
  }
  return (
    <div className={styles['switch']}>
      <select aria-label={app.language} value={language.texts} onChange={choose('language')}>
        {languages.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {new Intl.DisplayNames(tag, { type: 'language' }).of(tag)}
          </option>
        ))}
      </select>
      <select aria-label={app.numbers} value={language.numbers} onChange={choose('numbers')}>
        {[...samples].map(([sample, tag]) => (
          <option key={tag} value={tag}>
            {sample}
          </option>
        ))}
      </select>
    </div>
  )
}

function sampleOf(tag: string): string {
  return new Intl.NumberFormat(tag).format(1_234_567.89)
}

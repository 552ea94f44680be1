import { createContext, useContext } from 'react'
import { chooseLanguage, type Language, type LanguageChoice } from './chooseLanguage.ts'
import { en, type Texts } from './en.ts'
import { createFormats, type Formats } from './formats.ts'
import type { Translation } from './translation.ts'

/** Texts and formats in the visitor's language. */
export type Words = {
  language: Language
  texts: Texts
  formats: Formats
  /** Null in English. */
  translation: Translation | null
}

const translations: Readonly<Record<string, () => Promise<Translation>>> = {
  de: async () => (await import('./de.ts')).de,
}

/** Languages with a catalogue, as `de`. */
export const languages: readonly string[] = ['en', ...Object.keys(translations)]

/** Returns the words in a language. Pure. */
export function createWords(language: Language, translation: Translation | null = null): Words {
  return { language, texts: translation?.texts ?? en, formats: createFormats(language), translation }
}

/** Returns English words for a visitor with these languages, as `navigator.languages`. Pure. */
export function chooseWords(wanted: readonly string[]): Words {
  return createWords(chooseLanguage(wanted, ['en']))
}

/**
 * Loads the words for a visitor. Without a network, the words are English.
 *
 * @param wanted `navigator.languages`.
 */
export async function loadWords(wanted: readonly string[], chosen: LanguageChoice): Promise<Words> {
  const language = chooseLanguage(wanted, languages, chosen)
  const load = translations[language.texts]
  if (!load) return createWords(language)
  return load().then(
    (translation) => createWords(language, translation),
    () => createWords(chooseLanguage(wanted, ['en'], chosen)),
  )
}

/** Set by `App`. */
export const WordsContext = createContext<Words | null>(null)

/** Returns the texts. `App` always provides a language. */
export function useTexts(): Texts {
  return useWords().texts
}

/** Returns the formats of amounts, rates and times. */
export function useFormats(): Formats {
  return useWords().formats
}

/** Returns both, for functions that need both. */
export function useWords(): Words {
  const words = useContext(WordsContext)
  if (!words) throw new Error('There is no WordsContext above this component.')
  return words
}

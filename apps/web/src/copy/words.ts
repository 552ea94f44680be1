import { createContext, useContext } from 'react'
import { chooseLanguage } from './chooseLanguage.ts'
import { en, type Texts } from './en.ts'
import { createFormats, type Formats } from './formats.ts'

/** What the page says, and how it writes everything else. */
export type Words = {
  /** The catalogue's language, a BCP 47 tag. */
  language: string
  texts: Texts
  formats: Formats
}

const languages = { en } satisfies Record<string, Texts>
const catalogues: Readonly<Record<string, Texts>> = languages

/** A language that the page has texts in, by its BCP 47 tag. */
export type Catalogue = keyof typeof languages

/**
 * The words for a visitor. Pure.
 *
 * @param wanted the browser's languages, the best first.
 */
export function chooseWords(wanted: readonly string[]): Words {
  const language = chooseLanguage(wanted, Object.keys(catalogues))
  return { language: language.texts, texts: catalogues[language.texts] ?? en, formats: createFormats(language) }
}

/** Set by `App`. */
export const WordsContext = createContext<Words | null>(null)

/** What the page says; inside `App` there always is a language. */
export function useTexts(): Texts {
  return useWords().texts
}

/** How the page writes amounts, rates and times. */
export function useFormats(): Formats {
  return useWords().formats
}

/** Both, for functions that need both. */
export function useWords(): Words {
  const words = useContext(WordsContext)
  if (!words) throw new Error('There is no WordsContext above this component.')
  return words
}

import type { LanguageChoice } from '../copy/chooseLanguage.ts'
import { lastingStorage } from '../service/browserStorage.ts'

const keys = { language: 'firmquote.language', numbers: 'firmquote.numbers' } as const

/** Loads the visitor's choices of language and number format. */
export function loadLanguageChoice(): LanguageChoice {
  return { language: lastingStorage.getItem(keys.language), numbers: lastingStorage.getItem(keys.numbers) }
}

/** Saves a choice. It applies when the page is loaded again. */
export function saveLanguageChoice(name: keyof LanguageChoice, value: string): void {
  lastingStorage.setItem(keys[name], value)
}

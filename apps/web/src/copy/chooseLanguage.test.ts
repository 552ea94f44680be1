import { expect, test } from '@jest/globals'
import { chooseLanguage } from './chooseLanguage.ts'

test("default: the browser's own language, where there is a catalogue", () => {
  expect(chooseLanguage(['de-AT', 'en-US'], ['en', 'de'])).toEqual({ texts: 'de', dates: 'de-AT', numbers: 'de-AT' })
})

test('behavior: else the next that there is; numbers stay those of the first', () => {
  expect(chooseLanguage(['fr-FR', 'en-GB'], ['en'])).toEqual({ texts: 'en', dates: 'en-GB', numbers: 'fr-FR' })
})

test('behavior: else English, with dates as the region writes them', () => {
  expect(chooseLanguage(['de-DE'], ['en'])).toEqual({ texts: 'en', dates: 'en-DE', numbers: 'de-DE' })
  expect(chooseLanguage(['de'], ['en'])).toEqual({ texts: 'en', dates: 'en', numbers: 'de' })
})

test('error: what is no language is left out', () => {
  const english = { texts: 'en', dates: 'en', numbers: 'en' }
  expect(chooseLanguage([], ['en'])).toEqual(english)
  expect(chooseLanguage(['', 'C', 'not a language', 'xx-XX'], ['en'])).toEqual(english)
})

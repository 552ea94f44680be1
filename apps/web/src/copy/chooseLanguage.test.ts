import { expect, test } from '@jest/globals'
import { chooseLanguage } from './chooseLanguage.ts'

const both = ['en', 'de']

test("default: the browser's first language with a catalogue decides texts, dates and numbers", () => {
  expect(chooseLanguage(['de-AT', 'en-US'], both)).toEqual({ texts: 'de', dates: 'de-AT', numbers: 'de-AT' })
  expect(chooseLanguage(['fr-FR', 'en-GB'], both)).toEqual({ texts: 'en', dates: 'en-GB', numbers: 'en-GB' })
})

test("behavior: without such a language, English has its own numbers and the region's dates", () => {
  expect(chooseLanguage(['nl-NL'], both)).toEqual({ texts: 'en', dates: 'en-NL', numbers: 'en' })
  expect(chooseLanguage(['nl'], both)).toEqual({ texts: 'en', dates: 'en', numbers: 'en' })
})

test('behavior: the visitor chooses texts and numbers independently', () => {
  const browser = ['en-US', 'de-CH']
  expect(chooseLanguage(browser, both, { language: 'de' })).toEqual({ texts: 'de', dates: 'de-CH', numbers: 'de-CH' })
  expect(chooseLanguage(browser, both, { numbers: 'de-DE' }).numbers).toBe('de-DE')
  expect(chooseLanguage(['fr-FR'], both, { language: 'de' })).toEqual({ texts: 'de', dates: 'de-FR', numbers: 'de' })
})

test('error: invalid tags and unavailable choices are ignored', () => {
  const english = { texts: 'en', dates: 'en', numbers: 'en' }
  expect(chooseLanguage([], both)).toEqual(english)
  expect(chooseLanguage(['', 'C', 'not a language', 'xx-XX'], both)).toEqual(english)
  expect(chooseLanguage([], both, { language: 'fr', numbers: 'not a language' })).toEqual(english)
})

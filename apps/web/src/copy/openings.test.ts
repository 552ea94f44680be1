import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { chooseLanguage } from './chooseLanguage.ts'
import { deTexts } from './deTexts.ts'
import { en } from './en.ts'
import { openings } from './openings.ts'
import { languages } from './words.ts'

const html = readFileSync(new URL('../../dist/index.html', import.meta.url), 'utf8')
const script = readFileSync(new URL('../../public/opening.js', import.meta.url), 'utf8')
const catalogues = { en, de: deTexts }

/** The page's templates: language, path and contents. */
const templates = [...html.matchAll(/<template data-lang="([^"]+)" data-path="([^"]+)">(.*)<\/template>/g)].map(
  ([, lang = '', path = '', content = '']) => ({ dataset: { lang, path }, content }),
)

test.each(['en', 'de'] as const)(
  'default: the page as it is sent holds how each of these views begins, in %s',
  (lang) => {
    const expected = openings(catalogues[lang])
    const own = templates.filter(({ dataset }) => dataset.lang === lang)
    expect(own.map(({ dataset }) => dataset.path)).toEqual(Object.keys(expected))
    for (const { dataset, content } of own) {
      const words = content.split(/<[^>]+>/).filter(Boolean)
      expect(words).toEqual([expected[dataset.path]?.title, expected[dataset.path]?.lead])
    }
  },
)

test.each([
  [['de-AT', 'en-US'], null],
  [['nl-NL', 'DE'], null],
  [['fr-FR', 'en-GB', 'de'], null],
  [['nl-NL'], null],
  [[], null],
  [['en-US'], 'de'],
  [['de-DE'], 'en'],
  [['de-DE'], 'fr'],
])('behavior: the first heading is in the language of the app, for %j and the choice %j', (wanted, chosen) => {
  const { texts } = chooseLanguage(wanted, languages, { language: chosen })
  const getItem = (key: string) => (key === 'firmquote.language' ? chosen : null)
  expect(opening(wanted, '#/markets?size=1', { getItem })).toEqual({ lang: texts, path: '/markets', html: texts })
})

test('error: without storage, the languages of the browser decide', () => {
  const getItem = () => {
    throw new Error('denied')
  }
  expect(opening(['de-DE'], '', { getItem })).toEqual({ lang: 'de', path: '/', html: 'de' })
})

/** Runs the script. Returns the template that it shows and the language of the page. */
function opening(languages: readonly string[], hash: string, localStorage: { getItem(key: string): string | null }) {
  const shown: object[] = []
  const documentElement = { lang: 'en' }
  const document = {
    documentElement,
    querySelectorAll: () => templates.map(({ dataset }) => ({ dataset, content: { cloneNode: () => dataset } })),
    getElementById: () => ({ append: (dataset: object) => shown.push(dataset) }),
  }
  runInNewContext(script, { document, location: { hash }, localStorage, navigator: { languages } })
  expect(shown).toHaveLength(1)
  return { ...shown[0], html: documentElement.lang }
}

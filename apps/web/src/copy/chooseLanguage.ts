/** In which language the page speaks, and in which it writes numbers and dates: BCP 47 tags. */
export type Language = {
  /** The catalogue's: one of those there are. */
  texts: string
  /** Of what has words in it, dates and lengths of time: the catalogue's language, as the visitor's region writes it. */
  dates: string
  /** Of numbers: the first of the browser's. */
  numbers: string
}

/**
 * Chooses the first of the browser's languages for which there is a catalogue, else English. Pure.
 *
 * @param wanted as `navigator.languages` has them; what is no language tag is left out.
 * @param there the languages of the catalogues, as `['en', 'de']`.
 */
export function chooseLanguage(wanted: readonly string[], there: readonly string[]): Language {
  const locales = wanted.flatMap(parseLocale)
  const numbers = locales[0] ?? new Intl.Locale('en')
  const spoken = locales.find(({ language }) => there.includes(language))
  const { region } = numbers
  return {
    texts: spoken?.language ?? 'en',
    dates: spoken?.toString() ?? (region === undefined ? 'en' : `en-${region}`),
    numbers: numbers.toString(),
  }
}

function parseLocale(tag: string): Intl.Locale[] {
  try {
    const locale = new Intl.Locale(tag)
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0 ? [locale] : []
  } catch {
    return []
  }
}

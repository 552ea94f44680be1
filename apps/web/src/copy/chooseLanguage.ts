/** A visitor's own choices. Without one, the browser's languages decide. */
export type LanguageChoice = {
  /** Language of the texts, as `de`. */
  language?: string | null
  /** Language whose number format is used, a BCP 47 tag. */
  numbers?: string | null
}

/** The languages of the app's texts, dates and numbers. */
export type Language = {
  /** Language of the catalogue, as `de`. */
  texts: string
  /** BCP 47 tag for dates and durations: the texts' language in the visitor's region. */
  dates: string
  /** BCP 47 tag for numbers. By default, numbers follow the texts, because a sentence has one decimal sign. */
  numbers: string
}

/**
 * Returns the visitor's choice or the first of the browser's languages with a catalogue, else English. Pure.
 *
 * @param wanted `navigator.languages`. Invalid tags are ignored.
 * @param available Languages with a catalogue, as `['en', 'de']`.
 * @param chosen The visitor's choices. Invalid or unavailable ones are ignored.
 */
export function chooseLanguage(
  wanted: readonly string[],
  available: readonly string[],
  chosen: LanguageChoice = {},
): Language {
  const locales = wanted.flatMap(parseLocale)
  const own = available.find((language) => language === chosen.language)
  const texts = own ?? locales.find(({ language }) => available.includes(language))?.language ?? 'en'
  const spoken = locales.find(({ language }) => language === texts)?.toString()
  const region = locales[0]?.region
  const [numbers] = parseLocale(chosen.numbers ?? '')
  return {
    texts,
    dates: spoken ?? (region === undefined ? texts : `${texts}-${region}`),
    numbers: numbers?.toString() ?? spoken ?? texts,
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

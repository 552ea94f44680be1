const small = [
  ...['null', 'ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf', 'zwölf'],
  ...['dreizehn', 'vierzehn', 'fünfzehn', 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn'],
]
const tens = ['', '', 'zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig']
/** Nouns from a million upwards, in the plural. */
const scales = ['Millionen', 'Milliarden', 'Billionen', 'Billiarden', 'Trillionen', 'Trilliarden']
/** Groups of three digits. The last two, thousands and ones, form one word. */
const groups = scales.length + 2

/**
 * Spells a whole number, such as `zweihundertfünfzigtausend`. Returns null from 10^24 upwards, for which few people know the
 * words. Pure.
 */
export function spellGerman(whole: string): string | null {
  if (whole.length > 3 * groups) return null
  const values = (whole.padStart(3 * groups, '0').match(/.{3}/g) ?? []).map(Number)
  const large = values.slice(0, -2).flatMap((value, index) => {
    const scale = scales[scales.length - 1 - index] ?? ''
    if (value === 0) return []
    // Millionen: Million, Milliarden: Milliarde.
    return value === 1 ? ['eine', scale.replace(/(?<=ion)en$|n$/, '')] : [ending(spellHundreds(value)), scale]
  })
  const [thousands = 0, ones = 0] = values.slice(-2)
  const low = `${thousands > 0 ? `${spellHundreds(thousands)}tausend` : ''}${ending(spellHundreds(ones))}`
  const words = [...large, ...(low === '' ? [] : [low])]
  return (words.length === 0 ? ['null'] : words).join(' ')
}

function spellHundreds(value: number): string {
  const hundreds = value >= 100 ? `${small[Math.floor(value / 100)]}hundert` : ''
  const rest = value % 100
  const digit = rest % 10 > 0 ? `${small[rest % 10]}und` : ''
  return hundreds + (rest === 0 ? '' : rest < 20 ? small[rest] : `${digit}${tens[Math.floor(rest / 10)]}`)
}

/** At the end of a word, `ein` is `eins`. */
function ending(word: string): string {
  return word.replace(/ein$/, 'eins')
}

const small = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
]
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const scales = ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion', 'sextillion']

/**
 * Spells a whole number, such as `two hundred fifty thousand`. Returns null from 10^24 upwards, for which few people
 * know the words. Pure.
 */
export function spellEnglish(whole: string): string | null {
  if (whole.length > 3 * scales.length) return null
  const groups = whole.padStart(3 * scales.length, '0').match(/.{3}/g) ?? []
  const words = groups.flatMap((group, index) => {
    const below = spellHundreds(Number(group))
    return below === '' ? [] : [below, scales[scales.length - 1 - index] ?? '']
  })
  return (words.length === 0 ? ['zero'] : words).filter((word) => word !== '').join(' ')
}

function spellHundreds(value: number): string {
  const hundreds = value >= 100 ? [small[Math.floor(value / 100)], 'hundred'] : []
  const rest = value % 100
  const below =
    rest < 20
      ? (rest > 0 && small[rest]) || ''
      : `${tens[Math.floor(rest / 10)]}${rest % 10 > 0 ? `-${small[rest % 10]}` : ''}`
  return [...hundreds, below].filter(Boolean).join(' ')
}

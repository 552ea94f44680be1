/** How a language writes a number with one set of digits. */
export type NumberSigns = {
  /** From zero to nine. */
  digits: readonly string[]
  decimal: string
  /** Between groups of digits; empty where there is none. */
  group: string
  /** How many digits the last group has, and every group before it: 3 and 3, in India 3 and 2. */
  sizes: readonly [last: number, others: number]
}

/**
 * The signs of a language, as `Intl` writes them: its own digits first, then the digits 0 to 9 where its own are others. Pure.
 *
 * @param locale a BCP 47 tag.
 */
export function numberSigns(locale: string): readonly [NumberSigns, ...NumberSigns[]] {
  const own = readSigns(locale, undefined)
  return own.digits[0] === '0' ? [own] : [own, readSigns(locale, 'latn')]
}

function readSigns(locale: string, numberingSystem: string | undefined): NumberSigns {
  const format = new Intl.NumberFormat(locale, {
    useGrouping: true,
    ...(numberingSystem !== undefined && { numberingSystem }),
  })
  const parts = format.formatToParts(1_234_567_890.5)
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const lengths = parts.filter(({ type }) => type === 'integer').map(({ value }) => [...value].length)
  return {
    digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)),
    decimal: find('decimal'),
    group: find('group'),
    sizes: [lengths.at(-1) ?? 3, lengths.at(-2) ?? 3],
  }
}

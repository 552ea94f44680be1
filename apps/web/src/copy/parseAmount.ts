// Why: docs/decisions/0055-typed-text-catalogue.md
import { maxUint256 } from 'viem'
import type { Formats } from './formats.ts'
import type { NumberSigns } from './numberSigns.ts'

/** Why an amount that was typed is not taken. Its readings are in tokens, as {@link parseAmount} takes them. */
export type AmountProblem =
  | { problem: 'empty' }
  | { problem: 'tooLong' }
  | { problem: 'signed' }
  | { problem: 'exponent' }
  /** Digits of a script that is not the language's, or of two. */
  | { problem: 'digits' }
  /** Two people could mean two amounts by it. */
  | { problem: 'ambiguous'; readings: readonly [string, string] }
  /** Its groups of digits are irregular; there is one amount that it can mean. */
  | { problem: 'signs'; reading: string }
  | { problem: 'zeros' }
  | { problem: 'unreadable' }
  /** Finer than the token, which has so many decimals. */
  | { problem: 'tooFine'; decimals: number }
  /** More than 256 bits hold. */
  | { problem: 'tooLarge' }

/** An amount in raw units, or its mistake. */
export type ReadAmount = { amount: bigint } | AmountProblem

// 78 digits with grouping separators, and 255 decimal places.
const longest = 400
const shifts: Readonly<Record<string, number>> = { k: 3, m: 6 }

/**
 * Parses an amount in the notation of the page's language: digits, its decimal sign, its group sign, and `k` or `m` for
 * thousands and millions. Accepts the signs of another language if only one reading is possible, as in `1 000 000`. Rejects
 * text that another language reads as a different amount, unless the page itself writes the amount so. Never rounds. Pure.
 *
 * @param text as it was typed.
 * @param decimals the token's.
 */
export function parseAmount(
  text: string,
  decimals: number,
  { signs, input }: Pick<Formats, 'signs' | 'input'>,
): ReadAmount {
  const typed = text.trim()
  if (typed === '') return { problem: 'empty' }
  if (typed.length > longest) return { problem: 'tooLong' }
  if (/^[-+\u2212]/.test(typed)) return { problem: 'signed' }
  const shift = shifts[typed.slice(-1).toLowerCase()] ?? 0
  const number = shift === 0 ? typed : typed.slice(0, -1).trimEnd()
  const plain = inPlainDigits(number, signs)
  if (plain === null) return { problem: 'digits' }
  if (/^[0-9.,]*[0-9]e[+-]?[0-9]+$/i.test(plain.text)) return { problem: 'exponent' }

  const split = splitNumber(plain.text)
  if (!split) return { problem: 'unreadable' }
  const show = (reading: Reading) => {
    const { whole, fraction } = reading
    return input(BigInt(whole + fraction) * 10n ** BigInt(shift), { decimals: fraction.length })
  }
  const own = readBy(plain.signs, split)
  const [first, second] = own ? [own] : otherReadings(split)
  if (!first) return { problem: 'unreadable' }
  if (second) return { problem: 'ambiguous', readings: [show(first), show(second)] }
  if (!own && !isRegular(split, first)) return { problem: 'signs', reading: show(first) }
  const reading = first
  if (/^0[0-9]/.test(reading.whole)) return { problem: 'zeros' }
  if (couldBeThousands(split, reading)) {
    const { whole, fraction } = reading
    return { problem: 'ambiguous', readings: [show(reading), show({ whole: whole + fraction, fraction: '' })] }
  }
  const fraction = reading.fraction.replace(/0+$/, '')
  if (fraction.length > decimals + shift) return { problem: 'tooFine', decimals }
  const amount = BigInt(reading.whole + fraction.padEnd(decimals + shift, '0'))
  return amount > maxUint256 ? { problem: 'tooLarge' } : { amount }
}

type Reading = { whole: string; fraction: string }
/** Runs of digits, and the sign between each two of them. */
type Split = { runs: readonly string[]; marks: readonly string[] }

/** The text in the digits 0 to 9, with the signs that go with those it has; null when no language mixes them so. */
function inPlainDigits(text: string, known: readonly NumberSigns[]): { text: string; signs: NumberSigns } | null {
  const used = known.find(({ digits }) => digits.some((digit) => text.includes(digit))) ?? known[0]
  if (!used) return null
  const rest = [...text].filter((letter) => !used.digits.includes(letter)).join('')
  if (/\p{Nd}/u.test(rest)) return null
  const plain = [...text].map((letter) => {
    const digit = used.digits.indexOf(letter)
    return digit === -1 ? letter : digit.toString()
  })
  return { text: plain.join(''), signs: used }
}

function splitNumber(text: string): Split | null {
  if (!/^[0-9]+(?:[.,'\u2019\u066b\u066c\s][0-9]+)*$/u.test(text)) return null
  return { runs: text.split(/[^0-9]/), marks: [...text.replace(/[0-9]/g, '')].map(sameMark) }
}

/** Keyboards have one space and one apostrophe; languages write several. */
function sameMark(mark: string): string {
  if (/\s/u.test(mark)) return ' '
  return mark === '\u2019' ? "'" : mark
}

function readBy({ decimal, group, sizes }: NumberSigns, { runs, marks }: Split): Reading | null {
  const hasFraction = marks.at(-1) === sameMark(decimal)
  const [groups, fraction] = hasFraction ? [runs.slice(0, -1), runs.at(-1) ?? ''] : [runs, '']
  const between = hasFraction ? marks.slice(0, -1) : marks
  if (between.some((mark) => mark !== sameMark(group))) return null
  const last = groups.length - 1
  const fits = groups.every(({ length }, index) => {
    const size = index === last ? sizes[0] : sizes[1]
    return last === 0 || (index === 0 ? length <= size : length === size)
  })
  return fits ? { whole: groups.join(''), fraction } : null
}

/** Other meanings of the text: its last sign as the decimal sign, or all signs as group separators. */
function otherReadings({ runs, marks }: Split): Reading[] {
  const last = marks.at(-1) ?? ''
  const before = new Set(marks.slice(0, -1))
  const isDecimal = /[.,\u066b]/.test(last) && !before.has(last) && before.size <= 1
  const isGroups = before.size === 0 || (before.size === 1 && before.has(last))
  const readings = [
    ...(isDecimal ? [{ whole: runs.slice(0, -1).join(''), fraction: runs.at(-1) ?? '' }] : []),
    ...(isGroups ? [{ whole: runs.join(''), fraction: '' }] : []),
  ]
  return readings.filter(({ whole }) => !/^0[0-9]/.test(whole))
}

/** Whether the groups of digits are thousands. */
function isRegular({ runs }: Split, { fraction }: Reading): boolean {
  const groups = fraction === '' ? runs : runs.slice(0, -1)
  return groups.every(({ length }, index) => (index === 0 ? groups.length === 1 || length <= 3 : length === 3))
}

/** Whether a decimal sign stands where other languages separate thousands with the same sign. */
function couldBeThousands({ marks }: Split, { whole, fraction }: Reading): boolean {
  return marks.length === 1 && /[.,]/.test(marks[0] ?? '') && fraction.length === 3 && /^[1-9][0-9]{0,2}$/.test(whole)
}

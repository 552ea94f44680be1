import type { Token } from '@firmquote/react'
import { parseAmount } from './parseAmount.ts'
import type { Words } from './words.ts'

type Unit = Pick<Token, 'decimals' | 'symbol'>

/** An amount that was not understood. */
export type AmountMistake = {
  /** What is wrong with it, in a sentence. */
  mistake: string
  /** What it may mean, as this function reads it without doubt. */
  corrections: readonly string[]
}

/** Reads an amount that was typed, with or without the token's symbol or currency sign, in raw units. Pure. */
export function readAmount(text: string, token: Unit, { texts, formats }: Words): { amount: bigint } | AmountMistake {
  const read = parseAmount(withoutUnit(text, token.symbol), token.decimals, formats)
  if ('amount' in read) return read
  return {
    // With both signs, so that it shows which is which.
    mistake: texts.amounts.refused(read, formats.exact(12_345n, { decimals: 1 })),
    corrections: read.problem === 'ambiguous' ? read.readings : read.problem === 'signs' ? [read.reading] : [],
  }
}

/** Currency signs, with the symbols of tokens that are meant to be worth one unit of the currency. */
const currencySigns: readonly (readonly [sign: string, symbols: RegExp])[] = [
  ['$', /USD|DAI/i],
  ['€', /EUR/i],
  ['£', /GBP/i],
]

function withoutUnit(text: string, symbol: string): string {
  // `k` and `m` are thousands and millions.
  const unit = /^(?:|[km])$/i.test(symbol) ? null : symbol.toLowerCase()
  const typed = text.trim()
  const number = unit !== null && typed.toLowerCase().endsWith(unit) ? typed.slice(0, -symbol.length).trim() : typed
  const sign = currencySigns.find(([, symbols]) => symbols.test(symbol))?.[0] ?? null
  if (sign === null) return number
  if (number.startsWith(sign)) return number.slice(sign.length)
  return number.endsWith(sign) ? number.slice(0, -sign.length) : number
}

/** An amount in words, to check what was understood. Raw units. Pure. */
export function spellAmount(value: bigint, token: Unit, { texts, formats }: Words): string {
  const digits = value.toString().padStart(token.decimals + 1, '0')
  const point = digits.length - token.decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  const spelled = texts.amounts.understood(digits.slice(0, point), fraction, token.symbol)
  return spelled ?? formats.withSymbol(formats.exact(value, token), token)
}

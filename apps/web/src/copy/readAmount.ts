import type { Token } from '@firmquote/react'
import { parseAmount } from './parseAmount.ts'
import type { Words } from './words.ts'

/** Reads an amount that was typed: raw units, or what is wrong with it in a sentence. Pure. */
export function readAmount(
  text: string,
  { decimals }: Pick<Token, 'decimals'>,
  { texts, formats }: Words,
): { amount: bigint } | { mistake: string } {
  const read = parseAmount(text, decimals, formats)
  // With both signs, so that it shows which is which.
  return 'amount' in read ? read : { mistake: texts.amounts.refused(read, formats.exact(12_345n, { decimals: 1 })) }
}

/** An amount in words, to check what was understood. Raw units. Pure. */
export function spellAmount(
  value: bigint,
  token: Pick<Token, 'decimals' | 'symbol'>,
  { texts, formats }: Words,
): string {
  const digits = value.toString().padStart(token.decimals + 1, '0')
  const point = digits.length - token.decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  const spelled = texts.amounts.understood(digits.slice(0, point), fraction, token.symbol)
  return spelled ?? formats.withSymbol(formats.exact(value, token), token)
}

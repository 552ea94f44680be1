import type { Token } from '@firmquote/react'
import type { Rejection } from '@firmquote/sdk'
import type { Words } from './words.ts'

/** Why an offer cannot be taken, in a sentence for its borrower. Pure. */
export function explainRejection(rejection: Rejection, token: Token, { texts, formats }: Words): string {
  const { refusals } = texts
  const amount = (value: bigint) => formats.withSymbol(formats.amount(value, token), token)
  switch (rejection.code) {
    case 'CAPACITY_EXCEEDED':
      return refusals.capacity(amount(rejection.capacity))
    case 'INSUFFICIENT_BALANCE':
      return refusals.balance(amount(rejection.balance))
    case 'INSUFFICIENT_ALLOWANCE':
      return refusals.allowance(amount(rejection.allowance))
    case 'TERMS_MISMATCH':
      return rejection.field === 'taker'
        ? refusals.otherTaker(formats.address(rejection.value))
        : texts.codes.TERMS_MISMATCH
    case 'NOT_EXECUTABLE':
      return explainCode(rejection.reason, texts) ?? refusals.other
    default:
      return texts.codes[rejection.code]
  }
}

/** The sentence for a code that comes from elsewhere; null where there is none. */
export function explainCode(code: string, { codes }: Words['texts']): string | null {
  return Object.hasOwn(codes, code) ? codes[code as keyof typeof codes] : null
}

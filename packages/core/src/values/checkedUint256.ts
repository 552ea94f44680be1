import { InvalidInputError } from '../errors.ts'
import { maxUint256, parseUint256 } from './uint256.ts'

/**
 * Checks an integer that a program passes: an amount, a nonce, a deadline.
 *
 * @throws {InvalidInputError} when it is not a bigint from 0 to 2^256 - 1; a number or a string is told as the bigint to write.
 */
export function checkedUint256(value: unknown, path: string): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= maxUint256) return value
  throw notUint256(value, path)
}

/** The same for an integer above zero. */
export function checkedPositiveUint256(value: unknown, path: string): bigint {
  const checked = checkedUint256(value, path)
  if (checked === 0n) throw new InvalidInputError('must be above zero.', { path, given: value })
  return checked
}

/** What is wrong with a value that is no uint256, and what to write instead. */
export function notUint256(value: unknown, path: string): InvalidInputError {
  return new InvalidInputError(remedy(value), { path, given: value })
}

const example = '250000000000n'
// An error shows no longer text: it may be a key that was passed in the wrong place.
const longestShown = 42

function remedy(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'must be a bigint from 0 to 2^256 - 1.'
    case 'undefined':
      return `is missing; pass a bigint, such as ${example}.`
    case 'number':
    case 'string': {
      const kind = `is a ${typeof value} where a bigint belongs`
      const text = String(value)
      const isShown = text.length <= longestShown
      const isExact = typeof value === 'string' || Number.isSafeInteger(value)
      if (isShown && isExact && parseUint256(text) !== null) return `${kind}; pass a bigint: ${text}n.`
      if (isShown && /^[0-9,]+\.[0-9]+$/.test(text)) {
        return `${kind}; pass a bigint in raw units: parsePrincipal('${text}', decimals).`
      }
      return `${kind}; pass a bigint, such as ${example}.`
    }
    default:
      return `must be a bigint, such as ${example}.`
  }
}

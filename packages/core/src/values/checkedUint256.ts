import { InvalidInputError } from '../errors.ts'
import { maxUint256, parseUint256 } from './uint256.ts'

/**
 * Validates an integer argument: an amount, a nonce or a deadline.
 *
 * @throws {InvalidInputError} if it is not a bigint from 0 to 2^256 - 1. If it is a number or a string, the message
 * shows the bigint to write instead.
 */
export function checkedUint256(value: unknown, path: string): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= maxUint256) return value
  throw notUint256(value, path)
}

/** Like {@link checkedUint256}, but for positive integers. */
export function checkedPositiveUint256(value: unknown, path: string): bigint {
  const checked = checkedUint256(value, path)
  if (checked === 0n) throw new InvalidInputError('must be positive.', { path, given: value })
  return checked
}

/** Creates an error for a value that is not a uint256. The error states the value and the remedy. */
export function notUint256(value: unknown, path: string): InvalidInputError {
  return new InvalidInputError(remedy(value), { path, given: value })
}

const example = '250000000000n'
// Maximum length of text shown in an error. Longer text may be a private key passed as the wrong argument.
const maxShown = 42

function remedy(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'must be a bigint from 0 to 2^256 - 1.'
    case 'undefined':
      return `is missing. Pass a bigint, such as ${example}.`
    case 'number':
    case 'string': {
      const kind = `is a ${typeof value} but must be a bigint`
      const text = String(value)
      const isShown = text.length <= maxShown
      const isExact = typeof value === 'string' || Number.isSafeInteger(value)
      if (isShown && isExact && parseUint256(text) !== null) return `${kind}: ${text}n.`
      if (isShown && /^[0-9,]+\.[0-9]+$/.test(text)) {
        return `${kind} in raw units: parsePrincipal('${text}', decimals).`
      }
      return `${kind}, such as ${example}.`
    }
    default:
      return `must be a bigint, such as ${example}.`
  }
}

import { InvalidInputError } from '@firmquote/core'

const pattern = /^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,10})?%?$/

/**
 * Parses an annual rate typed by the user: `8`, `6.53` or `6.53%`.
 *
 * @throws {InvalidInputError} if the text is invalid. The message explains why.
 */
export function parsePercent(text: string): number {
  const percent = pattern.test(text) ? Number.parseFloat(text) : Number.NaN
  if (percent > 0 && percent <= 1_000_000) return percent
  throw new InvalidInputError('A rate must be a percentage above zero, such as 8 or 6.53.')
}

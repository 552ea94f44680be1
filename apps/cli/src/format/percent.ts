import { InvalidInputError } from '@firmquote/core'

const pattern = /^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,10})?%?$/

/**
 * Reads a rate a year as it is typed at a prompt: `8`, `6.53` and `6.53%`.
 *
 * @throws {InvalidInputError} with a sentence that says what is wrong.
 */
export function parsePercent(text: string): number {
  const percent = pattern.test(text) ? Number.parseFloat(text) : Number.NaN
  if (percent > 0 && percent <= 1_000_000) return percent
  throw new InvalidInputError('A rate is written in percent, like 8 or 6.53, and is above zero.')
}

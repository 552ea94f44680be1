import { InvalidInputError } from '@firmquote/core'

// End of the year 9999. A larger number is probably a time in milliseconds.
const lastInstant = 253_402_300_799

const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Parses an instant: a day (`2027-03-01`, 00:00 UTC), Unix seconds, or an ISO date and time with a time zone
 * (`2027-03-01T12:00Z`, `2027-03-01T12:00:00+01:00`).
 *
 * @returns Unix seconds.
 * @throws {InvalidInputError} if the text is invalid. The message explains why.
 */
export function parseInstant(text: string): number {
  if (/^[1-9]\d*$/.test(text)) {
    if (Number(text) <= lastInstant) return Number(text)
    throw new InvalidInputError(`${text} is beyond the year 9999; use seconds, not milliseconds.`)
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return atMidnight(text)
  if (isoPattern.test(text)) {
    atMidnight(text.slice(0, 10))
    const at = Date.parse(text) / 1000
    if (at >= 0) return at
  }
  throw new InvalidInputError(
    `${JSON.stringify(text)} is not a date; use a day (2027-03-01), Unix seconds, or 2027-03-01T12:00Z.`,
  )
}

/** Rejects days that do not exist, because `Date.parse` rolls 30 February over to March. */
function atMidnight(day: string): number {
  const at = Date.parse(`${day}T00:00:00Z`)
  if (at >= 0 && new Date(at).toISOString().slice(0, 10) === day) return at / 1000
  throw new InvalidInputError(`The day ${day} does not exist or is before 1970.`)
}

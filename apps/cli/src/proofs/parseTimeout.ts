import { UsageError } from '../errors.ts'

/** Parses `--timeout` to milliseconds. @throws {UsageError} if it is not a number of seconds from 0.001 to 9,999. */
export function parseTimeout(text: string): number {
  const seconds = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (seconds > 0) return seconds * 1_000
  throw new UsageError('--timeout must be a number of seconds above 0, and at most 9999.')
}

import { InvalidInputError } from './coreErrors.ts'

/** @throws {InvalidInputError} if it is not a number of seconds. */
export function checkSeconds(seconds: unknown, path: string): void {
  rejectMilliseconds(seconds, path)
  if (typeof seconds === 'number' && Math.abs(seconds) <= Number.MAX_SAFE_INTEGER) return
  throw new InvalidInputError('must be a number of seconds.', { path, given: seconds })
}

/** @throws {InvalidInputError} if it is a time in milliseconds between the years 1973 and 5138. Ignores other types. */
export function rejectMilliseconds(time: unknown, path: string): void {
  if ((typeof time !== 'number' && typeof time !== 'bigint') || time < 1e11 || time >= 1e14) return
  const seconds = `${Math.floor(Number(time) / 1000)}${typeof time === 'bigint' ? 'n' : ''}`
  throw new InvalidInputError(`is in milliseconds but must be in seconds: ${seconds}.`, { path, given: time })
}

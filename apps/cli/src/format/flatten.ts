import { showInstant } from './show.ts'

/**
 * Takes an answer of any shape apart into names and values, one a line: `service.url`, `quotes.0.hash`. What is an instant by
 * its name, in the seconds or milliseconds that the service's names stand for, is written as a date.
 *
 * @param value plain JSON.
 */
export function flatten(value: unknown, path = ''): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null) return [[path, value === null ? 'none' : showValue(value, path)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, 'none']]
  return entries.flatMap(([key, part]) => flatten(part, path === '' ? key : `${path}.${key}`))
}

function showValue(value: unknown, path: string): string {
  const isNumber = typeof value === 'number'
  if (/(?:^|\.)(?:expiry|deadline|minDeadline)$/.test(path)) {
    if (isNumber || (typeof value === 'string' && /^\d{1,78}$/.test(value))) return showInstant(Number(value))
  }
  if (isNumber && /[a-z]At$/.test(path)) return showInstant(Math.floor(value / 1000))
  return String(value)
}

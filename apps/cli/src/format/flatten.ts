import { showInstant } from './show.ts'

/**
 * Flattens a JSON value into names and values: `service.url`, `quotes.0.hash`. Times are written as dates. The field
 * name determines whether a value is in seconds or milliseconds.
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

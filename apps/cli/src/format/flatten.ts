/**
 * Takes an answer of any shape apart into names and values, one a line: `service.url`, `quotes.0.hash`.
 *
 * @param value plain JSON.
 */
export function flatten(value: unknown, path = ''): [name: string, value: string][] {
  if (typeof value !== 'object' || value === null) return [[path, value === null ? 'none' : String(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, 'none']]
  return entries.flatMap(([key, part]) => flatten(part, path === '' ? key : `${path}.${key}`))
}

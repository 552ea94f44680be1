/** Encodes a value as JSON, with bigints as decimal strings. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part))
}

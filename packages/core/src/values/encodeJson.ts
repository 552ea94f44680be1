/** Encodes a value as JSON, with every bigint as a decimal string. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part))
}

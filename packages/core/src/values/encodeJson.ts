/** Encodes a value for the wire: JSON in which every bigint is a decimal string. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part))
}

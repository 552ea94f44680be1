const pattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Parses a `traceparent` of W3C Trace Context, version 00; null for anything that is not one. */
export function parseTraceparent(text: string): string | null {
  return typeof text === 'string' && pattern.test(text) ? text : null
}

const pattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Parses a `traceparent` of W3C Trace Context, version 00. Returns null when it is malformed. */
export function parseTraceparent(text: string): string | null {
  return typeof text === 'string' && pattern.test(text) ? text : null
}

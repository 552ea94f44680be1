const pattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Parses a W3C Trace Context `traceparent`, version 00. Returns null if the header is malformed. */
export function parseTraceparent(text: string): string | null {
  return typeof text === 'string' && pattern.test(text) ? text : null
}

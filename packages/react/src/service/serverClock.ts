let offsetMs = 0
let ruling: ClockReading | null = null
const listeners = new Set<() => void>()

/**
 * Runs a request whose response contains the server's time, and synchronizes the page's clock. Assumes that the server
 * read its clock halfway between request and response, so the fastest response is the most accurate. See {@link rules}.
 */
export async function followServerClock<T extends { serverTime?: number }>(request: () => Promise<T>): Promise<T> {
  const sentAt = performance.now()
  const answer = await request()
  const tookMs = performance.now() - sentAt
  if (answer.serverTime !== undefined && rules({ sentAt, tookMs }, ruling)) {
    ruling = { sentAt, tookMs }
    offsetMs = answer.serverTime + tookMs / 2 - Date.now()
    for (const listener of listeners) listener()
  }
  return answer
}

/** When a request was sent, in milliseconds since the page opened, and its round-trip time, in milliseconds. */
type ClockReading = { sentAt: number; tookMs: number }

/** Maximum age of a clock reading. By then, the machine's clock may have changed or the machine may have slept. */
const maxRuleMs = 60_000

/**
 * Whether a clock reading replaces the current one, because its request was at least as fast or the current one has
 * expired. Pure.
 */
export function rules(reading: ClockReading, ruling: ClockReading | null): boolean {
  return !ruling || reading.tookMs <= ruling.tookMs || reading.sentAt - ruling.sentAt > maxRuleMs
}

/** Returns the estimated server time in Unix milliseconds. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Milliseconds from the page's clock to the server's. */
export function clockOffset(): number {
  return offsetMs
}

/** Calls `listener` after every change of the offset. Returns a function that stops it. */
export function onClockChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

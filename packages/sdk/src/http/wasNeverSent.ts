const beforeConnect = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Returns whether a connection error proves that nothing was sent, because the error names a system call that precedes
 * sending. Browsers do not expose the system call, so the result is always false there.
 */
export function wasNeverSent(error: unknown): boolean {
  // Do not use `instanceof Error`, because platform errors may come from another realm.
  for (let level = 0, part = error; level < 4 && isCoded(part); level++, part = part.cause) {
    if (typeof part.code === 'string' && beforeConnect.has(part.code)) return true
  }
  return false
}

function isCoded(value: unknown): value is { code?: unknown; cause?: unknown } {
  return typeof value === 'object' && value !== null
}

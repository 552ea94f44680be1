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
 * Returns whether a connection error proves that nothing was sent, because it names a system call that precedes
 * sending. Always false in browsers, which do not expose the system call.
 */
export function wasNeverSent(error: unknown): boolean {
  // `instanceof Error` would miss platform errors from another realm.
  for (let level = 0, part = error; level < 4 && isCoded(part); level++, part = part.cause) {
    if (typeof part.code === 'string' && beforeConnect.has(part.code)) return true
  }
  return false
}

function isCoded(value: unknown): value is { code?: unknown; cause?: unknown } {
  return typeof value === 'object' && value !== null
}

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
 * Whether an error of a connection proves that nothing was sent: it names a system call that comes before. Browsers do
 * not tell, so there it is never certain.
 */
export function wasNeverSent(error: unknown): boolean {
  // Not `instanceof Error`: the platform's errors may come from another realm.
  for (let level = 0, part = error; level < 4 && isCoded(part); level++, part = part.cause) {
    if (typeof part.code === 'string' && beforeConnect.has(part.code)) return true
  }
  return false
}

function isCoded(value: unknown): value is { code?: unknown; cause?: unknown } {
  return typeof value === 'object' && value !== null
}

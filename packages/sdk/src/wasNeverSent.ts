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
  for (let level = 0, part = error; level < 4 && part instanceof Error; level++, part = part.cause) {
    if ('code' in part && typeof part.code === 'string' && beforeConnect.has(part.code)) return true
  }
  return false
}

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
export function wasNeverSent(code: string | undefined): boolean {
  return code !== undefined && beforeConnect.has(code)
}

/** SQLite's code of a failure, or of what has caused it: `SQLITE_FULL`. Null where SQLite has said nothing. */
export function sqliteCode(error: unknown): string | null {
  // Not by its class: the native library makes its errors with the class of the module that has loaded it first.
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown }
    at = cause
    if (typeof code === 'string' && code.startsWith('SQLITE_')) return code
  }
  return null
}

/**
 * Whether the database itself is damaged: it is not touched any more, whatever it still answers. A stored text that is not
 * JSON was never written.
 */
export function isDamage(error: unknown): boolean {
  return error instanceof SyntaxError || startsWithAny(sqliteCode(error), ['SQLITE_CORRUPT', 'SQLITE_NOTADB'])
}

/** Whether a failure is of the whole database, so that the next write would only fail the same way. */
export function isStoreError(error: unknown): boolean {
  return startsWithAny(sqliteCode(error), [
    ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PROTOCOL'],
    ...['SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  ])
}

/**
 * Whether a commit that has failed is known to have stored nothing. `SQLITE_FULL`: what ends a transaction in the log is
 * written last, and was not. Any other failure, of the wait for the disk above all, leaves a log that may be whole.
 */
export function isRefusedCommit(error: unknown): boolean {
  return startsWithAny(sqliteCode(error), ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_CONSTRAINT'])
}

function startsWithAny(code: string | null, starts: readonly string[]): boolean {
  return code !== null && starts.some((start) => code.startsWith(start))
}

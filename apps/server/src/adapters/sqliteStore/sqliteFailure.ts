/**
 * Returns the SQLite code of an error or one of its causes, such as `SQLITE_FULL`, or null if there is none.
 */
export function sqliteCode(error: unknown): string | null {
  // `instanceof` does not work here: errors have the class from whichever module instance loaded the native library
  // first.
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown }
    at = cause
    if (typeof code === 'string' && code.startsWith('SQLITE_')) return code
  }
  return null
}

/**
 * Whether an error shows that the database is damaged. Writes then stop. Stored text that is not valid JSON counts as
 * damage, because the store never writes such text.
 */
export function isDamage(error: unknown): boolean {
  return error instanceof SyntaxError || startsWithAny(sqliteCode(error), ['SQLITE_CORRUPT', 'SQLITE_NOTADB'])
}

/** Whether an error affects the whole database, so that other writes would fail too. */
export function isStoreError(error: unknown): boolean {
  return startsWithAny(sqliteCode(error), [
    ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PROTOCOL'],
    ...['SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  ])
}

/**
 * Whether a failed commit is known to have stored nothing. After `SQLITE_FULL`, the log lacks the commit frame, which
 * is written last. After other errors, such as a failed sync, the log may be complete.
 */
export function isRefusedCommit(error: unknown): boolean {
  return startsWithAny(sqliteCode(error), ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_CONSTRAINT'])
}

function startsWithAny(code: string | null, starts: readonly string[]): boolean {
  return code !== null && starts.some((start) => code.startsWith(start))
}

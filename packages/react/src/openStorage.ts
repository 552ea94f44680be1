/** The subset of `Storage` that this package uses. */
export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Wraps browser storage so that it never throws. If the storage is blocked or full, keeps values in memory until the
 * page unloads.
 *
 * @param open Returns the browser's storage. May throw if storage is blocked.
 */
export function openStorage(open: () => BrowserStorage): BrowserStorage {
  const memory = new Map<string, string>()
  return {
    getItem(key) {
      const kept = memory.get(key)
      if (kept !== undefined) return kept
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    setItem(key, value) {
      try {
        open().setItem(key, value)
        memory.delete(key)
      } catch {
        memory.set(key, value)
      }
    },
    removeItem(key) {
      memory.delete(key)
      try {
        open().removeItem(key)
      } catch {
        // Inaccessible storage has nothing to remove.
      }
    },
  }
}

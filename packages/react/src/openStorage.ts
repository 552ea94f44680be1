/** The used part of a browser's storage. */
export type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Opens a storage that never throws. If the browser's storage is forbidden or full, values live as long as the web
 * page.
 *
 * @param open Returns the browser's storage. It may throw if storage is forbidden.
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
        // The storage is inaccessible, so there is nothing to remove.
      }
    },
  }
}

import type { SharedBody } from '../responses/sharedBody.ts'

/** The docs site, built by `npm run docs`. */
export type DocsSite = {
  /**
   * Returns the file for a path under `/learn`. `start/maker` and `start/maker.html` are the same page; a folder
   * resolves to its index. Returns undefined if there is none.
   */
  find(path: string): string | undefined
  /** Reads a file returned by `find`; null if it was removed after startup. */
  read(file: string): Promise<SharedBody | null>
  /** SHA-256 hashes of the inline scripts, in base64. */
  scripts: readonly string[]
}

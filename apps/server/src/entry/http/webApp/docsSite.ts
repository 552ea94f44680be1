import type { SharedBody } from '../responses/sharedBody.ts'

/** The documentation, as `npm run docs` has built it. */
export type DocsSite = {
  /**
   * Where the file of a path below `/learn` is: `start/maker` is its page, as are `start/maker.html` and, of a folder, its
   * index. Undefined when there is none.
   */
  find(path: string): string | undefined
  /** Reads a file that `find` has found; null when it has been removed since the start. */
  read(file: string): Promise<SharedBody | null>
  /** The inline scripts of the pages, each as its SHA-256 in base64. */
  scripts: readonly string[]
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSharedBody, type SharedBody } from '../entry/http/responses/sharedBody.ts'
import type { WebAppFolder } from '../entry/http/webApp/webApp.ts'
import { webAppContentType } from '../entry/http/webApp/webAppFile.ts'

/**
 * Loads the files in a folder that browsers may request, with `.br` and `.gz` copies of text files. Skips files whose
 * content type is unknown. Treats a missing folder as empty.
 *
 * @param only paths to load. Default: all.
 */
export function openWebAppFolder(folder: URL, only?: readonly string[]): WebAppFolder {
  const root = fileURLToPath(folder)
  const paths = new Set(pathsIn(root))
  const load = (path: string) => (paths.has(path) ? readFileSync(join(root, path)) : undefined)
  const files = new Map<string, SharedBody>()
  for (const path of paths) {
    const contentType = webAppContentType(path)
    if (contentType === undefined || only?.includes(path) === false) continue
    const identity = readFileSync(join(root, path))
    const bodies = { identity, br: load(`${path}.br`), gzip: load(`${path}.gz`) }
    files.set(path.replaceAll(sep, '/'), createSharedBody(contentType, bodies))
  }
  return files
}

function pathsIn(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageFile, PageFolder } from '../http/page/webPage.ts'

/**
 * Opens a folder as the build leaves it: text with its `.br` and `.gz`, everything else as it is. A folder that does not
 * exist is empty. The tags are made of the content: an installed package's files all have the same date.
 */
export function openPageFolder(folder: URL): PageFolder {
  const root = fileURLToPath(folder)
  const paths = new Set(pathsIn(root))
  const files = new Map<string, PageFile>()
  for (const path of paths) {
    if (/\.(?:br|gz)$/.test(path)) continue
    const hash = createHash('sha256').update(readFileSync(join(root, path)))
    files.set(path.replaceAll(sep, '/'), {
      packed: paths.has(`${path}.br`) && paths.has(`${path}.gz`),
      tag: `W/"${hash.digest('base64url')}"`,
    })
  }
  return { root, files }
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

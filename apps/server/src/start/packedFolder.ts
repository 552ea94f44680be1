import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { PackedFile, PackedFolder } from '../http/page/packedFile.ts'

const unpack = promisify(gunzip)

/**
 * Opens a folder as the build leaves it: text as `<name>.gz` and `<name>.br`, everything else as it is. Its names are
 * read now, its files when they are asked for: pages are rarely loaded, so nothing is kept in memory. A folder that is
 * not there is empty.
 */
export function openPackedFolder(folder: URL): PackedFolder {
  const files = new Map<string, PackedFile>()
  for (const path of pathsIn(fileURLToPath(folder))) {
    const read = (suffix = '') => readFile(new URL(path + suffix, folder))
    if (path.endsWith('.br')) continue
    if (!path.endsWith('.gz')) {
      files.set(path, { packed: false, read: () => read() })
      continue
    }
    const plain = () => read().then(unpack)
    const brotli = () => readFile(new URL(path.replace(/gz$/, 'br'), folder))
    files.set(path.slice(0, -'.gz'.length), {
      packed: true,
      read: (encoding) => (encoding === 'br' ? brotli() : encoding === 'gzip' ? read() : plain()),
    })
  }
  return files
}

/** The paths of all files in a folder and below it, with `/` between their parts. */
function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [...relative(folder, parentPath).split(/[\\/]/), name].filter(Boolean).join('/'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

// Why: docs/decisions/0052-documentation-site.md
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { createSharedBody, type SharedBody } from '../entry/http/responses/sharedBody.ts'
import type { DocsSite } from '../entry/http/webApp/docsSite.ts'
import { webAppContentType } from '../entry/http/webApp/webAppFile.ts'

const pageTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
])
const typeOf = (path: string) => pageTypes.get(extname(path)) ?? webAppContentType(path)

/** Maximum total size of cached files, in all encodings, in bytes. Uncached files are read on request. */
const keptBytes = 8 * 1024 * 1024

const [unpack, packWithGzip] = [promisify(brotliDecompress), promisify(gzip)]

/**
 * Opens the docs site in a folder. A file whose name ends in `.br` is the only copy of the file without that ending.
 * Returns null if the site has not been built. Files added to the folder later are not served.
 */
export function openDocsSite(folder: URL): DocsSite | null {
  const root = fileURLToPath(folder)
  const paths = pathsIn(root)
  const files = new Set(
    [...paths].map((path) => path.replace(/\.br$/, '')).filter((path) => typeOf(path) !== undefined),
  )
  if (!files.has('index.html') || !files.has('404.html')) return null
  const cache = new LRUCache<string, SharedBody>({
    maxSize: keptBytes,
    sizeCalculation: ({ encodings }) =>
      Object.values(encodings).reduce((sum, encoding) => sum + (encoding?.bytes.length ?? 0), 1),
    // Concurrent requests for a file share one read.
    fetchMethod: async (path) => {
      const type = typeOf(path) ?? ''
      if (!paths.has(`${path}.br`)) return createSharedBody(type, { identity: await readFile(join(root, path)) })
      const br = await readFile(join(root, `${path}.br`))
      const identity = await unpack(br)
      return createSharedBody(type, { identity, br, gzip: await packWithGzip(identity) })
    },
  })
  return {
    find(path) {
      const bare = path.replace(/\/$/, '')
      return [bare, `${bare}.html`, bare === '' ? 'index.html' : `${bare}/index.html`].find((name) => files.has(name))
    },
    read: (file) => cache.forceFetch(file).catch(nullIfMissing),
    scripts: inlineScripts(
      paths.has('index.html.br')
        ? brotliDecompressSync(readFileSync(join(root, 'index.html.br'))).toString()
        : readFileSync(join(root, 'index.html'), 'utf8'),
    ),
  }
}

function inlineScripts(html: string): string[] {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script)
  return scripts.map((script) => createHash('sha256').update(script).digest('base64'))
}

function pathsIn(root: string): Set<string> {
  try {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return new Set(entries.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/')))
  } catch (error) {
    return nullIfMissing(error) ?? new Set()
  }
}

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}

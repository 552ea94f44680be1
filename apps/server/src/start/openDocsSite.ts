// Why: docs/decisions/0052-documentation-site.md
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/**
 * Opens the docs site in a folder. Returns null if the site has not been built. Files added to the folder later are not
 * served.
 */
export function openDocsSite(folder: URL): DocsSite | null {
  const root = fileURLToPath(folder)
  const paths = pathsIn(root)
  if (!paths.has('index.html') || !paths.has('404.html')) return null
  const files = new Set([...paths].filter((path) => typeOf(path) !== undefined))
  const load = async (path: string) => (paths.has(path) ? readFile(join(root, path)) : undefined)
  const cache = new LRUCache<string, SharedBody>({
    maxSize: keptBytes,
    sizeCalculation: ({ encodings }) =>
      Object.values(encodings).reduce((sum, encoding) => sum + (encoding?.bytes.length ?? 0), 1),
    // Concurrent requests for a file share one read.
    fetchMethod: async (path) => {
      const [identity, br, gzip] = await Promise.all([
        readFile(join(root, path)),
        load(`${path}.br`),
        load(`${path}.gz`),
      ])
      return createSharedBody(typeOf(path) ?? '', { identity, br, gzip })
    },
  })
  return {
    find(path) {
      const bare = path.replace(/\/$/, '')
      return [bare, `${bare}.html`, bare === '' ? 'index.html' : `${bare}/index.html`].find((name) => files.has(name))
    },
    read: (file) => cache.forceFetch(file).catch(nullIfMissing),
    scripts: inlineScripts(readFileSync(join(root, 'index.html'), 'utf8')),
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

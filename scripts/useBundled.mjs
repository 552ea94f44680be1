// Preloaded into programs that tests start, as `useBundled.mjs?FOLDER`. Resolves library imports to the bundles in that
// folder (`bundleLibraries`).
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { peersFolder } from './peersFolder.cjs'

const folder = decodeURIComponent(new URL(import.meta.url).search.slice(1))
const files = JSON.parse(readFileSync(join(folder, 'bundled.json'), 'utf8'))
const urls = new Map(Object.entries(files).map((pair) => pair.map((file) => String(pathToFileURL(file)))))

registerHooks({
  resolve(specifier, context, next) {
    const peers = peersFolder(specifier, context.parentURL)
    const found = next(specifier, peers ? { ...context, parentURL: `${pathToFileURL(peers)}/` } : context)
    const url = urls.get(found.url)
    return url === undefined ? found : { ...found, url, format: 'module' }
  },
})

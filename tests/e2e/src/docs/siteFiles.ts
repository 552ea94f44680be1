import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A page of the built site, with its anchors and links. */
export type BuiltPage = ReturnType<typeof readBuiltPage>

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

function readBuiltPage(folder: string, file: string) {
  const html = readFileSync(join(folder, file), 'utf8')
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => unescaped(text))
  return {
    path: file.replace(/\.html$/, ''),
    ids: new Set(found(/\sid="([^"]+)"/g)),
    links: found(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g),
    inlineScripts: found(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs),
  }
}

/** Reads all pages in a site's folder into a map, by path without `.html`. */
export function readBuiltPages(folder: string): Map<string, BuiltPage> {
  const pages = globSync('**/*.html', { cwd: folder }).map((file) => readBuiltPage(folder, file))
  return new Map(pages.map((page) => [page.path, page]))
}

/**
 * Follows every link on every page. `files` contains the paths of all files on the site.
 *
 * @returns broken links within the site, links to the rest of the service, and links to other sites.
 */
export function followLinks(pages: ReadonlyMap<string, BuiltPage>, files: ReadonlySet<string>, base: string) {
  const [broken, ofService, external] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let followed = 0
  for (const { path: from, links } of pages.values()) {
    for (const link of links) {
      const url = new URL(link, `http://site${base}${from}`)
      const path = decodeURIComponent(url.pathname)
      if (/^(?:https?|mailto):/.test(link)) external.add(link)
      else if (!`${path}/`.startsWith(base)) ofService.add(path)
      else {
        followed += 1
        const name = path.slice(base.length).replace(/\/$/, '')
        const target = pages.get(name) ?? pages.get(posix.join(name, 'index'))
        const anchor = decodeURIComponent(url.hash.slice(1))
        const isThere = target ? anchor === '' || target.ids.has(anchor) : files.has(name) && anchor === ''
        if (!isThere) broken.add(`${from}: ${link}`)
      }
    }
  }
  return { followed, broken: [...broken], ofService: [...ofService], external: [...external].sort() }
}

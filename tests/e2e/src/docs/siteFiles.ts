import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A page of the built site: what it has that can be led to, and where it leads. */
export type BuiltPage = {
  path: string
  ids: ReadonlySet<string>
  links: readonly string[]
  inlineScripts: readonly string[]
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

/** Every page of the site in a folder, by its path without `.html`. */
export function readBuiltPages(folder: string): Map<string, BuiltPage> {
  const pages = globSync('**/*.html', { cwd: folder }).map((file) => {
    const html = readFileSync(join(folder, file), 'utf8')
    const path = file.replace(/\.html$/, '')
    return {
      path,
      ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => unescaped(id))),
      links: [...html.matchAll(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, to = '']) =>
        unescaped(to),
      ),
      inlineScripts: [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, text = '']) => text),
    }
  })
  return new Map(pages.map((page) => [page.path, page]))
}

/** Where links lead: what is broken inside of the site, what else of the service they name, and which other sites. */
export type LinkReport = { followed: number; broken: string[]; ofService: string[]; external: string[] }

/** Follows every link of every page. `files` are the paths of all files of the site. */
export function followLinks(
  pages: ReadonlyMap<string, BuiltPage>,
  files: ReadonlySet<string>,
  base: string,
): LinkReport {
  const [broken, ofService, external] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let followed = 0
  for (const page of pages.values()) {
    for (const link of page.links) {
      if (/^(?:https?|mailto):/.test(link)) {
        external.add(link)
        continue
      }
      const url = new URL(link, `http://site${base}${page.path}`)
      const path = decodeURIComponent(url.pathname)
      if (!`${path}/`.startsWith(base)) {
        ofService.add(path)
        continue
      }
      followed += 1
      const name = path.slice(base.length).replace(/\/$/, '')
      const target = [name, posix.join(name, 'index')].map((one) => pages.get(one)).find((one) => one !== undefined)
      const anchor = decodeURIComponent(url.hash.slice(1))
      const isThere = target ? anchor === '' || target.ids.has(anchor) : files.has(name) && anchor === ''
      if (!isThere) broken.add(`${page.path}: ${link}`)
    }
  }
  return { followed, broken: [...broken], ofService: [...ofService], external: [...external].sort() }
}

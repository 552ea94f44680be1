import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A page of the built site, with its headings, anchors and links. */
export type BuiltPage = ReturnType<typeof readBuiltPage>

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

/** The text of a piece of HTML, without the invisible links of headings. */
const textOf = (html = '') =>
  unescaped(
    html
      .replaceAll(/<a class="header-anchor".*?<\/a>|<[^>]+>/gs, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>'),
  )
    .replaceAll('\u200b', '')
    .trim()

function readBuiltPage(folder: string, file: string) {
  const html = readFileSync(join(folder, file), 'utf8')
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => unescaped(text))
  // The title of the first page is above its text.
  const content = file === 'index.html' ? html : (/<main\b[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '')
  return {
    path: file.replace(/\.html$/, ''),
    /** The text of all headings, and of the first paragraph below the title. */
    headings: [...content.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gs)].map(([, level, text]) => ({
      level: Number(level),
      text: textOf(text),
    })),
    lead: textOf(/<\/h1>(?:\s|<\/?(?:div|blockquote)[^>]*>)*<p\b[^>]*>(.*?)<\/p>/s.exec(content)?.[1]),
    /** The text of all code spans. */
    codes: [...content.matchAll(/<code\b[^>]*>(.*?)<\/code>/gs)].map(([, code]) => textOf(code)),
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

/** A group of the sidebar, or a page in it. Links begin with `/` and have no base. */
export type SidebarItem = { text: string; link?: string; items?: readonly SidebarItem[] }

/** Finds titles that a reader would see twice: on a page, or in a group of the sidebar. */
export function findRepeatedTitles(pages: ReadonlyMap<string, BuiltPage>, sidebars: readonly SidebarItem[]): string[] {
  const onPages = [...pages.values()].flatMap(({ path, headings, lead }) => {
    if (path === '404') return []
    const titles = headings.filter(({ level }) => level === 1)
    const repeated = headings.filter(({ text }, index) => text === headings[index - 1]?.text)
    return [
      ...(titles.length === 1 ? [] : [`${path}: ${titles.length} titles`]),
      ...repeated.map(({ text }) => `${path}: the heading ${text} twice in a row`),
      ...(lead === titles[0]?.text ? [`${path}: the title again as a paragraph`] : []),
    ]
  })
  const inGroups = sidebars.flatMap(({ text: group, items = [] }) => {
    const titles = items.map(({ link = '' }) => {
      const page = pages.get(link.slice(1)) ?? pages.get(`${link.slice(1)}index`)
      return page?.headings[0]?.text ?? link
    })
    const repeated = titles.filter((title, index) => titles.indexOf(title) < index)
    const alone = items.length === 1 && items[0]?.text === group ? [`${group}: a group with a page of this name`] : []
    return [...repeated.map((title) => `${group}: two pages with the title ${title}`), ...alone]
  })
  return [...onPages, ...inGroups]
}

/** Finds types without their properties, and members with several lists of errors. */
export function findIncomplete({ path, headings, codes }: BuiltPage): string[] {
  const bare = codes.filter((code) => code === 'object' || code === 'any')
  const repeated = headings.filter(({ level, text }, index) => {
    const member = headings.slice(0, index).findLastIndex((one) => one.level < level)
    return text === 'Throws' && headings.slice(member + 1, index).some((one) => one.text === text)
  })
  return [...bare.map((code) => `${path}: ${code}`), ...repeated.map(() => `${path}: Throws twice for one member`)]
}

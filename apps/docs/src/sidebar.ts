import { addressOf, type Page } from './page.ts'
import { beginningOf, readers } from './readers.ts'

/** A list of pages under a heading. */
export type Group = { title: string; pages: Page[] }

const headings: readonly (readonly [folder: RegExp, title: string])[] = [
  [/^start\//, 'Begin'],
  [/^guides\//, 'Guides'],
  [/^operate\/incidents\//, 'Incidents'],
  [/^operate\//, 'Operate'],
  [/^reference\/[^/]+$/, 'Reference'],
  [/^examples\//, 'Examples'],
  [/^packages\//, 'Programs and packages'],
  [/^reference\/sdk\//, 'SDK reference'],
  [/^(?!index\.md)[^/]+$/, 'More'],
]

/** All pages but the first one by the groups that they are shown in, each in its order; groups without pages are left out. */
export function groupPages(pages: readonly Page[]): Group[] {
  const groups = headings.map(([, title]) => ({ title, pages: [] as Page[] }))
  for (const page of [...pages].sort((a, b) => a.order - b.order || a.title.localeCompare(b.title, 'en'))) {
    const index = headings.findIndex(([folder]) => folder.test(page.path))
    groups[index]?.pages.push(page)
  }
  return groups.filter(({ pages: own }) => own.length > 0)
}

type Item = { text: string; link?: string; items?: Item[] }
const itemOf = ({ title, path }: Page): Item => ({ text: title, link: `/${addressOf(path)}` })

/** What stands beside every page; the reference of the SDK, which is long, has a list of its own. */
export function sidebarOf(pages: readonly Page[]): Record<string, Item[]> {
  const groups = groupPages(pages)
  const reference = groups.filter(({ title }) => title === 'SDK reference')
  const others = groups.filter(({ title }) => title !== 'SDK reference')
  const list = others.map(({ title, pages: own }) => {
    const items = own.map(itemOf)
    if (title === 'Reference' && reference.length > 0) items.push({ text: 'SDK', link: '/reference/sdk/' })
    // Nothing is folded: the theme's heading for that holds one control in another.
    return { text: title, items }
  })
  const own = reference.flatMap(({ pages: all }) => [
    {
      text: '@firmquote/sdk',
      items: all.filter(({ order }) => order === 0).map((page) => ({ ...itemOf(page), text: 'Overview' })),
    },
    { text: 'Classes', items: all.filter(({ order }) => order === 1).map(itemOf) },
    { text: 'Functions', items: all.filter(({ order }) => order === 2).map(itemOf) },
  ])
  return { '/': list, '/reference/sdk/': own }
}

/** The links at the top: where each reader begins, and the reference. */
export function navigationOf(pages: readonly Page[]): Item[] {
  const paths = new Set(pages.map(({ path }) => path))
  return [
    ...readers.map((reader) => ({ text: reader.title, link: `/${addressOf(beginningOf(reader, paths))}` })),
    { text: 'Reference', items: pages.filter(({ path }) => /^reference\/[^/]+$/.test(path)).map(itemOf) },
  ]
}

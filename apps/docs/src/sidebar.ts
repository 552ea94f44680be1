import { addressOf, type Page } from './page.ts'
import { beginningOf, readers } from './readers.ts'

/** A titled list of pages. */
export type Group = { title: string; pages: Page[] }

const headings: readonly (readonly [folder: RegExp, title: string])[] = [
  [/^start\//, 'Begin'],
  [/^guides\//, 'Guides'],
  [/^operate\/[^/]+$/, 'Operate'],
  [/^operate\/incidents\//, 'Incidents'],
  [/^reference\/[^/]+$/, 'Reference'],
  [/^examples\//, 'Examples'],
  [/^packages\//, 'Programs and packages'],
  [/^reference\/sdk\//, 'SDK reference'],
  [/^(?!index\.md)[^/]+$/, 'More'],
]

/** Groups all pages except the home page, and sorts each group. Empty groups are omitted. */
export function groupPages(pages: readonly Page[]): Group[] {
  const groups = headings.map(([, title]) => ({ title, pages: [] as Page[] }))
  for (const page of [...pages].sort((a, b) => a.order - b.order || a.title.localeCompare(b.title, 'en'))) {
    const index = headings.findIndex(([folder]) => folder.test(page.path))
    groups[index]?.pages.push(page)
  }
  return groups.filter(({ pages: own }) => own.length > 0)
}

type Item = { text: string; link?: string; items?: Item[] }
/** The page about the SDK's errors, which is also in the general sidebar. */
const errorsPath = 'reference/errors-sdk.md'
const itemOf = ({ title, path }: Page): Item => ({ text: title, link: `/${addressOf(path)}` })

/** Sidebars by path prefix. The SDK reference has a separate sidebar because it is long. */
export function sidebarOf(pages: readonly Page[]): Record<string, Item[]> {
  const groups = groupPages(pages)
  const reference = groups.filter(({ title }) => title === 'SDK reference')
  const others = groups.filter(({ title }) => title !== 'SDK reference')
  const list = others.map(({ title, pages: own }) => {
    const items = own.map(itemOf)
    if (title === 'Reference' && reference.length > 0) items.push({ text: 'SDK', link: '/reference/sdk/' })
    // The groups are not collapsible, because the theme's collapsible heading nests two controls.
    return { text: title, items }
  })
  const documented = reference.flatMap(({ pages: all }) => all)
  const classes = documented.filter(({ order }) => order === 1)
  const isError = ({ title }: Page) => title.endsWith('Error')
  const own = [
    {
      text: '@firmquote/sdk',
      items: [
        { text: 'Overview', link: '/reference/sdk/' },
        ...pages.filter(({ path }) => path === errorsPath).map(itemOf),
      ],
    },
    { text: 'Classes', items: classes.filter((page) => !isError(page)).map(itemOf) },
    { text: 'Error classes', items: classes.filter(isError).map(itemOf) },
    { text: 'Functions', items: documented.filter(({ order }) => order === 2).map(itemOf) },
  ]
  return { '/': list, '/reference/sdk/': own }
}

/** The top navigation: each audience's starting page, and the reference. */
export function navigationOf(pages: readonly Page[]): Item[] {
  const paths = new Set(pages.map(({ path }) => path))
  return [
    ...readers.map((reader) => ({ text: reader.title, link: `/${addressOf(beginningOf(reader, paths))}` })),
    { text: 'Reference', items: pages.filter(({ path }) => /^reference\/[^/]+$/.test(path)).map(itemOf) },
  ]
}

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changelogPage } from './changelogPage.ts'
import { errorsPage } from './errorsPage.ts'
import { type Page, parsePage } from './page.ts'
import { beginningOf, readers } from './readers.ts'
import { relinked } from './relinked.ts'
import { filesOfRepository, repositoryPages } from './repositoryPages.ts'
import { restPage } from './restPage.ts'
import { sdkPages } from './sdkPages.ts'
import { socketPage } from './socketPage.ts'

/**
 * Collects all pages of the site. `root` is the repository's folder, and `scratch` is a folder whose contents may be
 * deleted.
 */
export async function collectPages(root: string, scratch: string): Promise<Page[]> {
  const repository = readRepository(root)
  const reference = await sdkPages(
    {
      name: '@firmquote/sdk',
      folder: join(root, 'packages/sdk'),
      path: 'reference/sdk',
      errorsPath: '/reference/errors-sdk',
    },
    scratch,
  )
  const protocol = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
  const pages = [
    ...writtenPages(root, repository),
    ...repositoryPages(root, repository),
    restPage(),
    socketPage(),
    errorsPage(protocol),
    changelogPage(root),
    ...reference,
  ]
  const paths = new Set(pages.map(({ path }) => path))
  if (paths.size < pages.length) throw new TypeError('Two pages of the documentation have the same path.')
  return pages.map((page) => ({ ...page, markdown: page.markdown.replace('<!-- readers -->', readerList(paths)) }))
}

/** The pages stored as files in `apps/docs`. */
function writtenPages(root: string, repository: string | null): Page[] {
  const folder = join(root, 'apps/docs')
  const places = { pages: new Map(filesOfRepository(root).map(({ file, path }) => [file, path])), repository }
  return globSync('{*.md,{start,guides,operate,reference}/**/*.md}', { cwd: folder })
    .filter((path) => path !== 'README.md')
    .sort()
    .map((path) => {
      const page = parsePage(path, readFileSync(join(folder, path), 'utf8'))
      // Comments mark where generated content is inserted.
      return path === 'index.md' ? page : { ...page, markdown: relinked(`apps/docs/${path}`, page.markdown, places) }
    })
}

/** The repository's public URL; null until its owner sets it. */
function readRepository(root: string): string | null {
  const file = join(root, 'release.config.json')
  if (!existsSync(file)) return null
  const { repository } = JSON.parse(readFileSync(file, 'utf8')) as { repository?: string | null }
  return repository ? repository.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, '') : null
}

function readerList(paths: ReadonlySet<string>): string {
  return readers
    .map((reader) => `- [**${reader.title}**](/${beginningOf(reader, paths).replace(/\.md$/, '')}): ${reader.wants}.`)
    .join('\n')
}

import { posix } from 'node:path'
import { outsideCode } from './outsideCode.ts'
import { addressOf } from './page.ts'

/** Which files of the repository are pages, and where the rest of it can be read. */
export type Places = {
  /** The page of each file, both as paths: `docs/protocol.md` to `reference/protocol.md`. */
  pages: ReadonlyMap<string, string>
  /** The repository's address, without a slash at its end; null while it has none. */
  repository: string | null
}

/**
 * The text of a file of the repository as a page: links to files that are pages lead to these, links to other files to the
 * repository. While that has no address, they are text. Comments go.
 */
export function relinked(file: string, markdown: string, { pages, repository }: Places): string {
  const without = outsideCode(markdown, (text) => text.replaceAll(/<!--.*?-->\n?/gs, ''))
  // A link's text may hold code, so links are not looked for outside of it alone.
  return without.replaceAll(
    /(?<!!)\[((?:[^[\]`]|`[^`\n]*`)*)\]\(([^)\s]+)\)/g,
    (link, text: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return link
      const [path = '', anchor] = target.split('#')
      const to = posix.join(posix.dirname(file), path)
      // A page of the site itself, whether it is there or not: the build tells.
      const page = pages.get(to) ?? (/^apps\/docs\/.+\.md$/.test(to) ? to.slice('apps/docs/'.length) : undefined)
      if (page !== undefined) return `[${text}](/${addressOf(page)}${anchor === undefined ? '' : `#${anchor}`})`
      return repository === null
        ? text
        : `[${text}](${repository}/blob/main/${to}${anchor === undefined ? '' : `#${anchor}`})`
    },
  )
}

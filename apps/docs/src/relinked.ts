import { posix } from 'node:path'
import { outsideCode } from './outsideCode.ts'
import { addressOf } from './page.ts'

/** The repository files that are pages of the site, and the repository's URL. */
export type Places = {
  /** Maps each file to its page: `docs/protocol.md` to `reference/protocol.md`. */
  pages: ReadonlyMap<string, string>
  /** The repository's URL without a trailing slash; null if unset. */
  repository: string | null
}

/**
 * Converts a repository file to a page. Links to files that are pages point to those pages. All other links point to
 * the repository, or become plain text if the repository has no URL. Comments are removed.
 */
export function relinked(file: string, markdown: string, { pages, repository }: Places): string {
  const without = outsideCode(markdown, (text) => text.replaceAll(/<!--.*?-->\n?/gs, ''))
  // A link's text may contain code, so code is searched, too.
  return without.replaceAll(
    /(?<!!)\[((?:[^[\]`]|`[^`\n]*`)*)\]\(([^)\s]+)\)/g,
    (link, text: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return link
      const [path = '', anchor] = target.split('#')
      const to = posix.join(posix.dirname(file), path)
      // A page of the site. The build reports missing pages.
      const page = pages.get(to) ?? (/^apps\/docs\/.+\.md$/.test(to) ? to.slice('apps/docs/'.length) : undefined)
      if (page !== undefined) return `[${text}](/${addressOf(page)}${anchor === undefined ? '' : `#${anchor}`})`
      return repository === null
        ? text
        : `[${text}](${repository}/blob/main/${to}${anchor === undefined ? '' : `#${anchor}`})`
    },
  )
}

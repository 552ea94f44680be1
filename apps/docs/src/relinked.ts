import { posix } from 'node:path'
import { outsideCode } from './outsideCode.ts'
import { addressOf } from './page.ts'

/** Which repository files are pages of the site, and the repository's URL. */
export type Places = {
  /** Maps each file to its page: `docs/protocol.md` to `reference/protocol.md`. */
  pages: ReadonlyMap<string, string>
  /** The repository's URL without a trailing slash; null if unset. */
  repository: string | null
}

/**
 * Converts a repository file to a page: links to files that are pages point to these pages, all other links to the
 * repository. Without a repository URL they become plain text. Removes comments.
 */
export function relinked(file: string, markdown: string, { pages, repository }: Places): string {
  const without = outsideCode(markdown, (text) => text.replaceAll(/<!--.*?-->\n?/gs, ''))
  // A link's text may contain code, so this also looks inside code.
  return without.replaceAll(
    /(?<!!)\[((?:[^[\]`]|`[^`\n]*`)*)\]\(([^)\s]+)\)/g,
    (link, text: string, target: string) => {
      if (/^(?:[a-z]+:|#|\/)/.test(target)) return link
      const [path = '', anchor] = target.split('#')
      const to = posix.join(posix.dirname(file), path)
      // A page of the site itself. The build reports a missing one.
      const page = pages.get(to) ?? (/^apps\/docs\/.+\.md$/.test(to) ? to.slice('apps/docs/'.length) : undefined)
      if (page !== undefined) return `[${text}](/${addressOf(page)}${anchor === undefined ? '' : `#${anchor}`})`
      return repository === null
        ? text
        : `[${text}](${repository}/blob/main/${to}${anchor === undefined ? '' : `#${anchor}`})`
    },
  )
}

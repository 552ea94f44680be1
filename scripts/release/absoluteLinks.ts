import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'

/** A document's location, and the base URLs of its links. */
type Place = {
  /** The repository's folder. */
  root: string
  /** The path of the document's folder, relative to the root. */
  folder: string
  /** The repository's URL. */
  repository: string
  /** The documentation site's URL. */
  docs: string
  /** A tag or commit. */
  ref: string
}

/**
 * Makes all relative links in a Markdown document absolute, except in code. Links to files point to `ref` in the
 * repository, and `/learn/…` to the documentation site.
 *
 * @throws Error for a broken link
 */
export function absoluteLinks(text: string, place: Place): string {
  const replace = (before: string, link: string) =>
    before + absolute(link, before.startsWith('!') || before.startsWith('src'), place)
  return outsideOfCode(text, (prose) =>
    prose
      .replaceAll(/(!?\[(?:[^\]\\]|\\.|\[[^\]]*\](?:\([^)]*\))?)*\]\()([^)\s]+)/g, (_, before, link) =>
        replace(before, link),
      )
      .replaceAll(/^(\[[^\]]+\]:\s+)(\S+)/gm, (_, before, link) => replace(before, link))
      .replaceAll(/((?:src|href)=")([^"]+)/g, (_, before, link) => replace(before, link)),
  )
}

function absolute(link: string, isPicture: boolean, { root, folder, repository, docs, ref }: Place): string {
  if (/^([a-z][a-z+.-]*:|#|\/\/)/i.test(link)) return link
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(link) ?? []
  if (path === '/learn' || path.startsWith('/learn/')) return docs + path.slice('/learn'.length) + rest
  const target = posix.join(folder, path)
  const file = posix.join(root, target)
  if (path.startsWith('/') || target.startsWith('..') || !existsSync(file)) {
    throw new Error(`${folder}: the link ${link} does not exist in the repository.`)
  }
  const view = statSync(file).isDirectory() ? 'tree' : isPicture ? 'raw' : 'blob'
  return `${repository}/${view}/${ref}/${target.replace(/\/$/, '')}${rest}`
}

function outsideOfCode(text: string, change: (prose: string) => string): string {
  // Parts with an odd index are code: fenced blocks and spans.
  const parts = text.split(/(^ {0,3}(?:```[\s\S]*?^ {0,3}```|~~~[\s\S]*?^ {0,3}~~~)[ \t]*$|`[^`\n]+`)/m)
  // A code span may be the text of a link, so the prose is joined with placeholders for the code.
  const prose = parts.filter((_, index) => index % 2 === 0).join('\0')
  const codes = parts.filter((_, index) => index % 2 === 1)
  return change(prose).replaceAll('\0', () => codes.shift() ?? '')
}

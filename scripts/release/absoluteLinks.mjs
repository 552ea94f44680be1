import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'

/**
 * A Markdown document with every relative link made absolute: a document that is read outside of the repository has nothing
 * beside it. Files are shown as they were at `ref`; `/learn/…` leads to the documentation site. Code stays as it is.
 *
 * @param {string} text
 * @param {object} place
 * @param {string} place.root the repository's folder
 * @param {string} place.folder the document's folder, from the root
 * @param {string} place.repository the repository's address
 * @param {string} place.docs the address of the documentation site
 * @param {string} place.ref a tag or commit
 * @returns {string}
 * @throws Error for a link that leads nowhere
 */
export function absoluteLinks(text, place) {
  /** @type {(before: string, link: string) => string} */
  const replace = (before, link) => before + absolute(link, before.startsWith('!') || before.startsWith('src'), place)
  return outsideOfCode(text, (prose) =>
    prose
      .replaceAll(/(!?\[(?:[^\]\\]|\\.|\[[^\]]*\](?:\([^)]*\))?)*\]\()([^)\s]+)/g, (_, before, link) =>
        replace(before, link),
      )
      .replaceAll(/^(\[[^\]]+\]:\s+)(\S+)/gm, (_, before, link) => replace(before, link))
      .replaceAll(/((?:src|href)=")([^"]+)/g, (_, before, link) => replace(before, link)),
  )
}

/**
 * @param {string} link
 * @param {boolean} isPicture
 * @param {Parameters<typeof absoluteLinks>[1]} place
 */
function absolute(link, isPicture, { root, folder, repository, docs, ref }) {
  if (/^([a-z][a-z+.-]*:|#|\/\/)/i.test(link)) return link
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(link) ?? []
  if (path === '/learn' || path.startsWith('/learn/')) return docs + path.slice('/learn'.length) + rest
  const target = posix.join(folder, path)
  const file = posix.join(root, target)
  if (path.startsWith('/') || target.startsWith('..') || !existsSync(file)) {
    throw new Error(`${folder}: the link ${link} leads to nothing in the repository.`)
  }
  const view = statSync(file).isDirectory() ? 'tree' : isPicture ? 'raw' : 'blob'
  return `${repository}/${view}/${ref}/${target.replace(/\/$/, '')}${rest}`
}

/**
 * @param {string} text
 * @param {(prose: string) => string} change
 */
function outsideOfCode(text, change) {
  // What is matched in brackets, every second part, is code: fenced blocks, then spans.
  const parts = text.split(/(^ {0,3}(?:```[\s\S]*?^ {0,3}```|~~~[\s\S]*?^ {0,3}~~~)[ \t]*$|`[^`\n]+`)/m)
  // A span may be the text of a link: prose is put together around it, with marks where code was.
  const prose = parts.filter((_, index) => index % 2 === 0).join('\0')
  const codes = parts.filter((_, index) => index % 2 === 1)
  return change(prose).replaceAll('\0', () => codes.shift() ?? '')
}

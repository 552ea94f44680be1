/** One page of the site. */
export type Page = {
  /** Where it stands, below the site: `reference/rest.md`. */
  path: string
  title: string
  /** One sentence for search engines and lists. */
  description: string
  /** Its place among those of its folder, the lowest first. */
  order: number
  /** What stands below the front matter. */
  markdown: string
  /** Front matter beside title, order and description, as it stands. */
  more?: string
}

/** Where a page stands in the site, without its ending and without the name of a folder's index: `start/maker`. */
export function addressOf(path: string): string {
  return path.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')
}

/** A page as VitePress reads it. */
export function formatPage({ title, description, order, markdown, more = '' }: Page): string {
  const facts = [
    `title: ${JSON.stringify(title)}`,
    ...(description === '' ? [] : [`description: ${JSON.stringify(description)}`]),
    `order: ${order}`,
    ...(more === '' ? [] : [more]),
  ]
  return `---\n${facts.join('\n')}\n---\n\n${markdown.trim()}\n`
}

/** A page as it is given out as Markdown: with its heading, and without front matter. */
export function formatMarkdown({ title, markdown }: Page): string {
  const text = markdown.trim()
  return text.startsWith('# ') ? `${text}\n` : `# ${title}\n\n${text}\n`
}

/**
 * Reads a page that is kept as a file: its front matter has `title`, and perhaps `order` (a number) and `description`. Without a
 * title, its first heading is one.
 *
 * @throws {TypeError} when there is neither.
 */
export function parsePage(path: string, text: string): Page {
  const [, frontMatter = '', markdown = text] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? []
  const facts = new Map<string, string>()
  const more: string[] = []
  for (const line of frontMatter.split('\n')) {
    const [, key = '', value = ''] = /^(title|order|description): *(.+)$/.exec(line) ?? []
    if (key === '') more.push(line)
    else facts.set(key, value.replace(/^(["'])(.*)\1$/, '$2'))
  }
  const title = facts.get('title') ?? /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined)
    throw new TypeError(`apps/docs/${path} has neither a title in its front matter nor a heading.`)
  return {
    path,
    title: title.replaceAll('`', ''),
    description: facts.get('description') ?? '',
    order: Number(facts.get('order') ?? 1_000),
    markdown,
    more: more.join('\n').trim(),
  }
}

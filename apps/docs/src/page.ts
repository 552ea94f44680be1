/** A page of the site. */
export type Page = {
  /** Path in the site: `reference/rest.md`. */
  path: string
  title: string
  /** A one-sentence description for search engines and lists. */
  description: string
  /** The page's sort key within its folder, lowest first. */
  order: number
  /** The text below the front matter. */
  markdown: string
  /** Additional front matter, copied unchanged. */
  more?: string
}

/** A page's path on the site, without the extension or a folder's index name: `start/maker`. */
export function addressOf(path: string): string {
  return path.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')
}

/** Marks where the terminal recording goes on the home page. The theme shows the recording above the text. */
const recordingPlace = '<!-- recording -->'

/** Formats a page for VitePress. */
export function formatPage({ title, description, order, markdown, more = '' }: Page): string {
  const facts = [
    `title: ${JSON.stringify(title)}`,
    ...(description === '' ? [] : [`description: ${JSON.stringify(description)}`]),
    `order: ${order}`,
    ...(more === '' ? [] : [more]),
  ]
  return `---\n${facts.join('\n')}\n---\n\n${markdown.replace(recordingPlace, '').trim()}\n`
}

/** The site's base path with a trailing slash, and the last screen of the home page's terminal recording. */
export type MarkdownFacts = { base: string; recording: string }

/** Formats a page as published Markdown, with its heading and without front matter. */
export function formatMarkdown({ title, markdown }: Page, { base, recording }: MarkdownFacts): string {
  const text = markdown
    .replace(recordingPlace, `\`\`\`text\n${recording}\n\`\`\``)
    .trim()
    // Links point to other pages' Markdown versions.
    .replaceAll(/\]\(\/([^)\s#]*)(#[^)\s]*)?\)/g, (_, address: string, anchor = '') => {
      const file = address === '' || address.endsWith('/') ? `${address}index` : address
      return `](${base}${file}.md${anchor})`
    })
  return text.startsWith('# ') ? `${text}\n` : `# ${title}\n\n${text}\n`
}

/**
 * Parses a page file with optional front matter: `title`, `order` (a number) and `description`. Defaults to the first
 * heading.
 *
 * @throws {TypeError} without a title or heading.
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

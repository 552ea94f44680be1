/** An item in a Markdown text. Lines are numbered from 1. */
export type MarkdownItem = {
  /**
   * `prose` is a paragraph, list item or heading as a single line. `block` is a fenced block without its list item's
   * indentation.
   */
  kind: 'prose' | 'block'
  /** The first word after the fence, which may be empty. */
  language: string
  text: string
  line: number
}

/** Matches a fenced block, up to its closing fence or the end of the text, or any other non-blank line. */
const pattern =
  /^[ \t]*(`{3,}|~{3,})([^\s{[`]*)[^\n`]*\n(?:([\s\S]*?)\n)?(?:[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))|^.*\S.*$/gm

/** Splits a Markdown text into prose and fenced blocks. Ignores its front matter. */
export function readMarkdown(markdown: string): MarkdownItem[] {
  const items: MarkdownItem[] = []
  const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, (front) => front.replaceAll(/[^\n]/g, ''))
  for (const { 0: all, 1: fence, 2: language = '', 3: block = '', index } of body.matchAll(pattern)) {
    const line = body.slice(0, index).split('\n').length
    const last = items.at(-1)
    // A paragraph continues until a blank line or the next list item.
    const goesOn =
      last?.kind === 'prose' && !/\n\s*\n$/.test(body.slice(0, index)) && !/^\s*(?:\d+\.|[-|#]+) /.test(all)
    if (fence) items.push({ kind: 'block', language, text: dedent(block), line })
    else if (goesOn) last.text += ` ${all.trim()}`
    else items.push({ kind: 'prose', language: '', text: all.trim(), line })
  }
  return items
}

/** Returns all fenced blocks in a Markdown text, in order. */
export function fencedBlocks(markdown: string): MarkdownItem[] {
  return readMarkdown(markdown).filter(({ kind }) => kind === 'block')
}

function dedent(text: string): string {
  const indents = [...text.matchAll(/^ *(?=\S)/gm)].map(([indent]) => indent.length)
  return text.replaceAll(new RegExp(`^ {${Math.min(...indents)}}`, 'gm'), '')
}

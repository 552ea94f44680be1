/** What a reader of a Markdown text meets; `line` counts from 1. */
export type MarkdownItem = {
  /** A paragraph, a list item or a heading, on one line; or a fenced block, without the indentation of its list item. */
  kind: 'prose' | 'block'
  /** The first word behind the fence; empty when there is none. */
  language: string
  text: string
  line: number
}

/** A fenced block, up to its own fence or the end of the text; or any other line that is not blank. */
const pattern =
  /^[ \t]*(`{3,}|~{3,})([^\s{[`]*)[^\n`]*\n(?:([\s\S]*?)\n)?(?:[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))|^.*\S.*$/gm

/** Splits a Markdown text, without its front matter, into prose and fenced blocks. */
export function readMarkdown(markdown: string): MarkdownItem[] {
  const items: MarkdownItem[] = []
  const body = markdown.replace(/^---\n[\s\S]*?\n---\n/, (front) => front.replaceAll(/[^\n]/g, ''))
  for (const { 0: all, 1: fence, 2: language = '', 3: block = '', index } of body.matchAll(pattern)) {
    const line = body.slice(0, index).split('\n').length
    const last = items.at(-1)
    // A paragraph goes on until a blank line or the next item of a list.
    const goesOn =
      last?.kind === 'prose' && !/\n\s*\n$/.test(body.slice(0, index)) && !/^\s*(?:\d+\.|[-|#]+) /.test(all)
    if (fence) items.push({ kind: 'block', language, text: dedent(block), line })
    else if (goesOn) last.text += ` ${all.trim()}`
    else items.push({ kind: 'prose', language: '', text: all.trim(), line })
  }
  return items
}

/** Every fenced block of a Markdown text, in order. */
export function fencedBlocks(markdown: string): MarkdownItem[] {
  return readMarkdown(markdown).filter(({ kind }) => kind === 'block')
}

function dedent(text: string): string {
  const indents = [...text.matchAll(/^ *(?=\S)/gm)].map(([indent]) => indent.length)
  return text.replaceAll(new RegExp(`^ {${Math.min(...indents)}}`, 'gm'), '')
}

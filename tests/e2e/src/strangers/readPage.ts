import { fencedBlocks } from '../docs/fencedBlocks.ts'

/** What a reader of a page meets, in order. */
export type PageItem =
  /** A paragraph, a list item or a heading, on one line. */
  | { kind: 'prose'; text: string; line: number }
  /** A fenced block, without the indentation of its list item. */
  | { kind: 'block'; language: string; text: string; line: number }

/** Splits a page, without its front matter, into paragraphs and fenced blocks. */
export function readPage(markdown: string): PageItem[] {
  const blocks = new Map(fencedBlocks(markdown).map((block) => [block.line, block]))
  const items: PageItem[] = []
  let prose: { text: string; line: number } | undefined
  const close = () => {
    if (prose) items.push({ kind: 'prose', ...prose })
    prose = undefined
  }
  const lines = markdown.split('\n')
  const begin = lines[0] === '---' ? lines.indexOf('---', 1) + 1 : 0
  for (let at = begin; at < lines.length; at += 1) {
    const [text = '', line] = [lines[at]?.trim(), at + 1]
    const block = blocks.get(line)
    if (block) {
      close()
      const length = block.text === '' ? 0 : block.text.split('\n').length
      items.push({ kind: 'block', language: block.language, text: dedent(block.text), line })
      at += length + 1
    } else if (text === '') close()
    else if (/^(?:\d+\.|[-|#]+) /.test(text) || prose === undefined) {
      close()
      prose = { text, line }
    } else prose.text += ` ${text}`
  }
  close()
  return items
}

function dedent(text: string): string {
  const lines = text.split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents, 80)
  return lines.map((line) => line.slice(indent)).join('\n')
}

/**
 * The shape of an output that a page shows: other figures, dates and hashes fit as well, any width of a gap does, and `…` stands
 * for anything.
 */
export function shapeOf(text: string): RegExp {
  const tokens = text.trim().matchAll(/0x[\da-fA-F]+(?:…[\da-fA-F]+)?|…|(?<!\w)\d(?:[.,:-]?\d)*|\s+|./g)
  return new RegExp([...tokens].map(([token]) => patternOf(token)).join(''))
}

function patternOf(token: string): string {
  if (/^0x./.test(token)) return '0x[\\da-fA-F…]+'
  if (token === '…') return '[\\s\\S]*?'
  if (/^\d/.test(token)) return '\\d[\\d.,:-]*'
  if (/^\s/.test(token)) return '\\s+'
  return token.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
}

/** A fenced block of a Markdown text. */
export type FencedBlock = {
  /** The first word behind the fence; empty when there is none. */
  language: string
  text: string
  /** Where the fence stands, counted from 1. */
  line: number
}

/** Every fenced block, in order. A block that nothing closes ends with the text, as in CommonMark. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = []
  let open: { fence: string; block: FencedBlock; lines: string[] } | undefined
  const close = () => {
    if (open) blocks.push({ ...open.block, text: open.lines.join('\n') })
    open = undefined
  }
  markdown.split('\n').forEach((text, index) => {
    const [, fence = '', info = ''] = /^\s*(`{3,}|~{3,})([^`]*)$/.exec(text) ?? []
    if (open) {
      if (fence.startsWith(open.fence) && info.trim() === '') close()
      else open.lines.push(text)
    } else if (fence !== '') {
      const [language = ''] = info.trim().split(/[\s{[]/)
      open = { fence, block: { language, text: '', line: index + 1 }, lines: [] }
    }
  })
  close()
  return blocks
}
